/** The session id in an access token. */
export function sessionOf(accessToken: string): string {
  const claims: unknown = JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString());
  if (typeof claims === "object" && claims !== null && "session_id" in claims) return String(claims.session_id);
  throw new Error("a token without a session");
}
