import type { SAML } from "@node-saml/node-saml";
import type { AuthContext } from "../../context.ts";
import { AuthError } from "../../errors.ts";
import { readIdpMetadata } from "./idp-metadata.ts";
import type { SsoProvider } from "./providers.ts";

/** Our own name in SAML, which is where our metadata is. */
export function entityIdOf(auth: AuthContext): string {
  return `${auth.issuer}/sso/saml/metadata`;
}

/** Where identity providers' answers are posted to. */
export function consumerUrlOf(auth: AuthContext): string {
  return `${auth.issuer}/sso/saml/acs`;
}

/** Refuses everything about SAML while config.toml leaves it off. Fails with a 404. */
export function requireSaml({ settings }: AuthContext): void {
  if (!settings.sso.enabled) throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
}

/** How far the clocks of the two sides may be apart. */
export const CLOCK_SKEW_MS = 30_000;

/** Makes node-saml for one identity provider; requests it writes have the id `requestId`. */
export async function samlOf(auth: AuthContext, provider: SsoProvider, requestId: string): Promise<SAML> {
  // Loaded where SAML is used only: it takes 24 MB.
  const { SAML: Saml, ValidateInResponseTo } = await import("@node-saml/node-saml");
  const { signOnUrl, certificates } = readIdpMetadata(provider.metadata_xml);
  return new Saml({
    issuer: entityIdOf(auth),
    audience: entityIdOf(auth),
    callbackUrl: consumerUrlOf(auth),
    entryPoint: signOnUrl,
    idpCert: certificates,
    identifierFormat: provider.name_id_format,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // One of the two signatures is always asked for; which one depends on the identity provider.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // It would look at the response, which need not be signed; the assertion's own answer is compared instead.
    validateInResponseTo: ValidateInResponseTo.never,
  });
}
