/** What somebody who opened a link of ours brings along, behind its #. */
export type LinkToken =
  | { kind: "nothing" }
  /** A link that was handed over: what it proves is still to be used. */
  | { kind: "proof"; type: LinkType; token_hash: string }
  /** A mailed link, which the service has used up already. */
  | { kind: "session"; access_token: string; refresh_token: string }
  | { kind: "told"; message: string }
  | { kind: "refused"; code: string };

type LinkType = "invite" | "recovery";

/** Reads what a link led here with, as the auth service and our own links write it. */
export function readLinkToken(hash: string): LinkToken {
  const brought = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string): string => brought.get(name) ?? "";
  const type = text("type");
  if (text("error") !== "" || text("error_code") !== "") return { kind: "refused", code: text("error_code") };
  if (text("token_hash") !== "" && isLinkType(type)) return { kind: "proof", type, token_hash: text("token_hash") };
  if (text("access_token") !== "" && text("refresh_token") !== "")
    return { kind: "session", access_token: text("access_token"), refresh_token: text("refresh_token") };
  return text("message") === "" ? { kind: "nothing" } : { kind: "told", message: text("message") };
}

function isLinkType(type: string): type is LinkType {
  return type === "invite" || type === "recovery";
}
