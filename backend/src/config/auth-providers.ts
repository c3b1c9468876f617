import { z } from "zod";

const providerSchema = z.object({
  enabled: z.boolean().default(false),
  client_id: z.string().default(""),
  secret: z.string().default(""),
  /** The issuer, where the provider's name does not say it. */
  url: z.string().default(""),
  redirect_uri: z.string().default(""),
  skip_nonce_check: z.boolean().default(false),
  email_optional: z.boolean().default(false),
});

/** `[auth.external.<provider>]`: who else may vouch for an account. */
export const externalSchema = z.record(z.string(), providerSchema).default({});

/** `[auth.sso]`: single sign-on by SAML 2.0. */
export const ssoSchema = z.object({ enabled: z.boolean().default(false) }).prefault({});
