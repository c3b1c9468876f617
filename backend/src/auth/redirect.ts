import type { AuthError } from "./errors.ts";

/** Sends a browser on, with what it is told behind the ? or the #. */
export function leadTo(
  target: string,
  { query = {}, fragment = {} }: { query?: Record<string, string>; fragment?: Record<string, string | number> },
): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const told = Object.entries(fragment).map(([name, value]) => [name, String(value)]);
  if (told.length > 0) url.hash = new URLSearchParams(told).toString();
  return new Response(null, {
    status: 303,
    headers: { Location: url.href, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}

/** How a failure is told to the page a flow leads to, in the words of OAuth (RFC 6749 §4.1.2.1). */
export function failureFields({ status, code, message }: AuthError): Record<string, string> {
  return { error: KINDS[status] ?? "invalid_request", error_code: code, error_description: message };
}

const KINDS: Readonly<Record<number, string>> = { 401: "unauthorized_client", 403: "access_denied", 500: "server_error" };
