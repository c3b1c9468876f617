const METHODS = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";
const HEADERS =
  "Authorization, apikey, Content-Type, Accept, Accept-Profile, Content-Profile, Prefer, Range, Range-Unit, X-Client-Info, X-Supabase-Api-Version";
const EXPOSED =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, Preference-Applied";
const ONE_DAY_SECONDS = "86400";

/** Answers a browser's question whether it may ask. */
export function preflight(request: Request): Response {
  const wanted = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 200,
    headers: {
      Allow: METHODS,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": METHODS,
      // Custom headers are for SQL to read, as `request.headers`; which there are is not known here.
      "Access-Control-Allow-Headers": wanted ?? HEADERS,
      "Access-Control-Max-Age": ONE_DAY_SECONDS,
    },
  });
}

/** Let pages of any origin read a response: the key in a request says who asks, never a cookie. */
export const CORS_HEADERS = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED } as const;
