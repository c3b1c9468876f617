/** Lets pages of any origin read a response. Callers authenticate by header, never by cookie, so this gives no access by itself. */
export const CORS_HEADERS = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" } as const;

const ONE_DAY_SECONDS = "86400";

/** Answers a CORS preflight request with every method and the requested headers. */
export function preflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
      "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers") ?? "*",
      "Access-Control-Max-Age": ONE_DAY_SECONDS,
    },
  });
}

/** Adds the CORS headers that a response does not have. */
export function addCorsHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(CORS_HEADERS)) if (!headers.has(name)) headers.set(name, value);
}
