import type { Context, Next } from "hono";

/** Let pages of any origin read a response: the key in a request says who asks, never a cookie. */
export const CORS_HEADERS = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" } as const;

const ONE_DAY_SECONDS = "86400";

/** Answers a browser's question whether it may ask. */
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

/** Lets pages of any origin read whatever is answered. */
export async function readableAnywhere(c: Context, next: Next): Promise<void> {
  await next();
  for (const [name, value] of Object.entries(CORS_HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
}
