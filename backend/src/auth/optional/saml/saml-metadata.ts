import type { Call } from "../../context.ts";
import { consumerUrlOf, entityIdOf, requireSaml } from "./saml.ts";

/** `GET sso/saml/metadata`: what an identity provider needs to know of us. */
export async function samlMetadata({ auth, request }: Call): Promise<Response> {
  requireSaml(auth);
  const { generateServiceProviderMetadata } = await import("@node-saml/node-saml");
  const xml = generateServiceProviderMetadata({
    issuer: entityIdOf(auth),
    callbackUrl: consumerUrlOf(auth),
    identifierFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    wantAssertionsSigned: true,
    // The same every time, so that it can be compared.
    generateUniqueId: () => "service-provider",
  });
  const download = new URL(request.url).searchParams.get("download") === "true";
  const headers = { "Content-Type": "application/samlmetadata+xml", "Cache-Control": "public, max-age=600" };
  return new Response(xml, { headers: { ...headers, ...(download && { "Content-Disposition": 'attachment; filename="metadata.xml"' }) } });
}
