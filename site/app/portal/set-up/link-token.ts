const LINK_TYPES = ["invite", "recovery", "magiclink", "signup", "email_change"] as const;

/** The unused token of a link that was mailed or handed over. */
export interface LinkToken {
  type: (typeof LINK_TYPES)[number];
  token_hash: string;
}

/** Reads the token from the hash of a link; null if there is none. */
export function readLinkToken(hash: string): LinkToken | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const type = LINK_TYPES.find((known) => known === parameters.get("type"));
  const token = parameters.get("token_hash") ?? "";
  return type === undefined || token === "" ? null : { type, token_hash: token };
}
