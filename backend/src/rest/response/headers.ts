import { CORS_HEADERS, METHODS, preflightHeaders } from "../../cors.ts";

const ALLOWED_HEADERS =
  "Authorization, apikey, Content-Type, Accept, Accept-Profile, Content-Profile, Prefer, Range, Range-Unit, X-Client-Info, X-Supabase-Api-Version";
const EXPOSED_HEADERS =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, Preference-Applied";

/** Answers a CORS preflight request. */
export function preflight(request: Request): Response {
  // SQL can read any header from `request.headers`, so the list of custom headers is not known here.
  return new Response(null, { status: 200, headers: { Allow: METHODS, ...preflightHeaders(request, ALLOWED_HEADERS) } });
}

/** The headers of every response. */
export const COMMON_HEADERS = {
  ...CORS_HEADERS,
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
  "X-Content-Type-Options": "nosniff",
} as const;

// RFC 9110, 5.5 and 5.6.2: a token, and visible characters with spaces and tabs between them.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns true if a header that SQL sets is valid HTTP. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}

/** Parses JSON that SQL wrote into a setting or an error; null if it is not JSON. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
