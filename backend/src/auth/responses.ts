/** Returns a JSON response that no cache stores unless `headers` say otherwise. */
export function json(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return Response.json(body, { status: init.status ?? 200, headers: { "Cache-Control": "no-store", ...init.headers } });
}

/** Redirects a browser to `target` with parameters in the query or the fragment. */
export function redirect(
  target: string,
  { query = {}, fragment = {} }: { query?: Record<string, string>; fragment?: Record<string, string | number> },
): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const hash = new URLSearchParams(Object.entries(fragment).map(([name, value]) => [name, String(value)])).toString();
  if (hash !== "") url.hash = hash;
  return new Response(null, {
    status: 303,
    headers: { Location: url.href, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}
