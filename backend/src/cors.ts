/** Every method of the APIs. */
export const METHODS = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";

// Pages of any origin may read a response. Callers authenticate by header, never by cookie, so this gives no access by itself.
const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" } as const;

/** The CORS headers of every response. Edge functions have their own, because they also run on a hosted project. */
export const CORS_HEADERS = { ...ANY_ORIGIN, "Access-Control-Expose-Headers": "*" } as const;

const ONE_DAY_SECONDS = "86400";

/** The headers that answer a CORS preflight request: every method, and the headers that the browser names or `otherwise`. */
export function preflightHeaders(request: Request, otherwise = "*"): Record<string, string> {
  return {
    ...ANY_ORIGIN,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers") ?? otherwise,
    "Access-Control-Max-Age": ONE_DAY_SECONDS,
  };
}

/** Adds the CORS headers that a response does not have. */
export function addCorsHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) if (!headers.has(name)) headers.set(name, value);
}
