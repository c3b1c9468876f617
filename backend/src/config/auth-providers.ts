import { z } from "zod";

const address = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default("");

const providerSchema = z
  .object({
    enabled: z.boolean().default(false),
    client_id: z.string().default(""),
    secret: z.string().default(""),
    /** The issuer; needed for providers without a known one. */
    url: address,
    redirect_uri: address,
    skip_nonce_check: z.boolean().default(false),
    email_optional: z.boolean().default(false),
  })
  .refine(({ enabled, client_id: id }) => !enabled || id.trim() !== "", {
    path: ["client_id"],
    message: "must be given for a provider that is on",
  });

/** `[auth.external.<provider>]`: OpenID Connect providers. */
export const externalSchema = z.record(z.string(), providerSchema).default({});

/** `[auth.sso]`: single sign-on by SAML 2.0. */
export const ssoSchema = z.object({ enabled: z.boolean().default(false) }).prefault({});
