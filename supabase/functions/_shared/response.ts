// Functions also run on a hosted project, without the backend, so they set their own CORS headers.
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, apikey, content-type, x-client-info",
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
};

/** A JSON response that any page may read. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...CORS, "Cache-Control": "no-store", ...headers } });
}

/** An error response: `error` is a stable code, `message` a sentence for people. A 503 without `Retry-After` gets one second. */
export function errorResponse(status: number, error: string, message: string, headers: Record<string, string> = {}): Response {
  return json({ error, message }, status, { ...(status === 503 ? { "Retry-After": "1" } : {}), ...headers });
}

export function notAuthenticated(): Response {
  return errorResponse(401, "not_authenticated", "Not authenticated");
}

/** The response to somebody whose role does not allow the request. */
export function notAllowed(message: string): Response {
  return errorResponse(403, "not_allowed", message);
}

/** The response to a browser's preflight request. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: CORS });
}
