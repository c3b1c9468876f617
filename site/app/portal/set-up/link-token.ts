/** The token of an invitation or reset link, from the hash of its URL. */
export type LinkToken =
  | { kind: "nothing" }
  /** A link that was handed over; its token was not used yet. */
  | { kind: "proof"; type: LinkType; token_hash: string }
  /** A mailed link; the service has used its token and started a session. */
  | { kind: "session"; access_token: string; refresh_token: string }
  | { kind: "message"; message: string }
  | { kind: "refused"; code: string };

/** The token of a link that opens an account. */
export type UsableToken = Extract<LinkToken, { kind: "proof" | "session" }>;

type LinkType = "invite" | "recovery";

/** Reads the token from a hash as the auth service and the staff function write it. */
export function readLinkToken(hash: string): LinkToken {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string): string => parameters.get(name) ?? "";
  const type = text("type");
  if (text("error") !== "" || text("error_code") !== "") return { kind: "refused", code: text("error_code") };
  if (text("token_hash") !== "" && isLinkType(type)) return { kind: "proof", type, token_hash: text("token_hash") };
  if (text("access_token") !== "" && text("refresh_token") !== "")
    return { kind: "session", access_token: text("access_token"), refresh_token: text("refresh_token") };
  return text("message") === "" ? { kind: "nothing" } : { kind: "message", message: text("message") };
}

function isLinkType(type: string): type is LinkType {
  return type === "invite" || type === "recovery";
}
