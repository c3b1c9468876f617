/** The access token in the Authorization header, not verified; undefined for anything else, such as an API key. */
export function accessTokenOf({ headers }: Request): string | undefined {
  const token = /^bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  // A JWT has three parts, an API key has none.
  return token?.split(".").length === 3 ? token : undefined;
}
