import { z } from "zod";

/** Whom an identity provider vouches for. */
export interface Vouched {
  /** The provider as identities name it. */
  provider: string;
  /** The provider's own name for the person, which never changes. */
  subject: string;
  /** In lower case; null when the provider gave none. */
  email: string | null;
  /** Whether the provider has made sure that the address is the person's. */
  emailVerified: boolean;
  /** What the identity keeps of the person. */
  data: Record<string, unknown>;
}

const text = z.string().optional().catch(undefined);
const claimsSchema = z.object({
  iss: text,
  sub: z.string().min(1),
  email: z.email().max(255).optional().catch(undefined),
  // Apple says it in words.
  email_verified: z
    .union([z.boolean(), z.literal(["true", "false"])])
    .optional()
    .catch(undefined),
  // Microsoft's way to say that the domain's owner was made sure of.
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

/** Reads the claims of an id token or of `userinfo` (OpenID Connect Core §5.1); what is not of its form counts as absent. */
export function vouchedByClaims(provider: string, given: Record<string, unknown>): Vouched {
  const claims = claimsSchema.parse(given);
  const { sub, email, email_verified: verified, xms_edov: domainVerified, ...rest } = claims;
  // Any Azure tenant can write any address into its accounts: there only this claim counts.
  const says = provider === "azure" ? domainVerified : verified;
  const emailVerified = email !== undefined && [true, "true", "1", 1].includes(says ?? false);
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
