import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import type { AuthContext, Call } from "../../context.ts";
import { readIdpMetadata } from "./idp-metadata.ts";
import type { SsoProvider } from "./providers.ts";

/** The accepted difference between the clocks of an identity provider and this server. */
export const CLOCK_SKEW_MS = 30_000;

/** Returns the address that identity providers post assertions to. */
export function consumerUrlOf({ issuer }: Pick<AuthContext, "issuer">): string {
  return `${issuer}/sso/saml/acs`;
}

/** The entity id of this service provider is the address of its metadata. */
function entityIdOf({ issuer }: Pick<AuthContext, "issuer">): string {
  return `${issuer}/sso/saml/metadata`;
}

/** Creates node-saml for one identity provider; its requests have the id `requestId`. */
export function samlOf(auth: AuthContext, provider: SsoProvider, requestId: string): SAML {
  const { signOnUrl, certificates } = readIdpMetadata(provider.metadata_xml);
  return new SAML({
    issuer: entityIdOf(auth),
    audience: entityIdOf(auth),
    callbackUrl: consumerUrlOf(auth),
    entryPoint: signOnUrl,
    idpCert: certificates,
    identifierFormat: provider.name_id_format ?? null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // node-saml always requires one of the two signatures; which one depends on the identity provider.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // node-saml compares the response, which may be unsigned; readAssertion compares the signed assertion.
    validateInResponseTo: ValidateInResponseTo.never,
  });
}

/** `GET sso/saml/metadata`: the metadata that identity providers are configured with. */
export async function serviceProviderMetadata({ auth, request }: Call): Promise<Response> {
  const xml = generateServiceProviderMetadata({
    issuer: entityIdOf(auth),
    callbackUrl: consumerUrlOf(auth),
    identifierFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    wantAssertionsSigned: true,
    // A constant, so that two copies of the metadata can be compared.
    generateUniqueId: () => "service-provider",
  });
  const download = new URL(request.url).searchParams.get("download") === "true";
  const headers = { "Content-Type": "application/samlmetadata+xml", "Cache-Control": "public, max-age=600" };
  return new Response(xml, { headers: { ...headers, ...(download && { "Content-Disposition": 'attachment; filename="metadata.xml"' }) } });
}
