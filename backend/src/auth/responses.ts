/** Returns a JSON response that no cache stores unless `headers` say otherwise. */
export function json(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", ...init.headers };
  return new Response(JSON.stringify(body), { status: init.status ?? 200, headers });
}

/** Redirects a browser to `target`, with 303 unless `status` says otherwise, with parameters in the query or the fragment. */
export function redirect(
  target: string | URL,
  {
    query = {},
    fragment = {},
    status = 303,
  }: { query?: Record<string, string>; fragment?: Record<string, string | number>; status?: number } = {},
): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const hash = new URLSearchParams(Object.entries(fragment).map(([name, value]) => [name, String(value)])).toString();
  if (hash !== "") url.hash = hash;
  return new Response(null, {
    status,
    headers: { Location: url.href, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}
