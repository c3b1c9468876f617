const UNRESERVED = /[\w.~-]/;

/**
 * The one spelling of a path that the site answers: lower case, single slashes, none at the end, and unreserved characters not
 * percent-encoded (RFC 3986, section 6.2.2).
 */
export function canonicalPath(pathname: string): string {
  const path = pathname
    .toLowerCase()
    .replace(/%([0-9a-f]{2})?/g, (encoded, code?: string) => {
      // A percent sign that encodes nothing is itself encoded, so that it cannot start a code with what follows.
      if (code === undefined) return "%25";
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return UNRESERVED.test(character) ? character.toLowerCase() : encoded.toUpperCase();
    })
    .replace(/\/+/g, "/");
  return path.length > 1 ? path.replace(/\/$/, "") : path;
}
