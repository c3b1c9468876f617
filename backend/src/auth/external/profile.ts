import { z } from "zod";

/** The claims of an identity provider about a person. */
export interface ExternalProfile {
  /** The name of the provider in `auth.identities`. */
  provider: string;
  /** The provider's permanent identifier of the person. */
  subject: string;
  /** In lower case, or null if the provider gave none. */
  email: string | null;
  /** True if the provider verified that the address belongs to the person. */
  emailVerified: boolean;
  /** The stored `identity_data`. */
  data: Record<string, unknown>;
}

const text = z.string().optional().catch(undefined);
const claimsSchema = z.object({
  iss: text,
  sub: z.string().min(1),
  email: z.email().max(255).optional().catch(undefined),
  // Apple sends a string.
  email_verified: z
    .union([z.boolean(), z.literal(["true", "false"])])
    .optional()
    .catch(undefined),
  // Microsoft: the owner of the address's domain is verified.
  xms_edov: z
    .union([z.boolean(), z.literal(["0", "1", "true", "false"]), z.literal([0, 1])])
    .optional()
    .catch(undefined),
  name: text,
  given_name: text,
  family_name: text,
  preferred_username: text,
  locale: text,
  picture: text,
});

/** Reads the claims of an id token or of `userinfo` (OpenID Connect Core §5.1); a malformed claim counts as absent. */
export function profileOfClaims(provider: string, given: Record<string, unknown>): ExternalProfile {
  const { sub, email, email_verified: verified, xms_edov: domainVerified, ...rest } = claimsSchema.parse(given);
  // An Azure tenant can put any address into its accounts, so only xms_edov counts there.
  const claim = provider === "azure" ? domainVerified : verified;
  const emailVerified = email !== undefined && [true, "true", "1", 1].includes(claim ?? false);
  const address = email?.toLowerCase() ?? null;
  const data = {
    ...rest,
    sub,
    provider_id: sub,
    email: address ?? undefined,
    email_verified: emailVerified,
    phone_verified: false,
    full_name: rest.name,
    avatar_url: rest.picture,
  };
  return { provider, subject: sub, email: address, emailVerified, data };
}
