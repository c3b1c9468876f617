import { provider } from "content/provider.ts";

const LONGEST_FORM_BYTES = 64 * 1024;
const FORM_TYPES = new Set(["application/x-www-form-urlencoded", "multipart/form-data"]);

/**
 * Refuses a request that no route can answer, before anything is rendered: a body that is too long, a method or content type that the
 * page does not take, or a form sent from another site. Returns undefined for every other request.
 */
export function refuse({ url, method, headers }: Request, siteUrl: string, takesForms: boolean): Response | undefined {
  if (headers.has("transfer-encoding") || Number(headers.get("content-length")) > LONGEST_FORM_BYTES)
    return plainPage(413, "This is too long", "Please shorten your text and send it again.");
  if (method === "GET" || method === "HEAD") return undefined;
  if (method !== "POST" || !takesForms)
    return plainPage(405, "Nothing can be sent to this page", "Please open it from the home page.", {
      Allow: takesForms ? "GET, HEAD, POST" : "GET, HEAD",
    });
  if (isFromAnotherSite(headers, [new URL(siteUrl).origin, new URL(url).origin]))
    return plainPage(403, "This form was sent from another site", "Please open the page on this site and send the form there.");
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return FORM_TYPES.has(type.trim().toLowerCase()) ? undefined : unreadableForm(415);
}

/** The form of a POST request; a response with status 400 if its body is damaged. */
export async function readForm(request: Request): Promise<FormData | Response> {
  try {
    return await request.formData();
  } catch (error) {
    // The Fetch standard rejects with a TypeError if the body does not have the form of its content type.
    if (error instanceof TypeError || request.signal.aborted) return unreadableForm(400);
    throw error;
  }
}

/** The response while as many pages are being rendered as the site allows at a time. */
export function overloaded(): Response {
  return plainPage(503, "We are very busy just now", "Please try again in a few seconds.");
}

// A browser names the sender of a form (Fetch standard, "Origin"; Fetch Metadata); other clients name none and carry no cookies.
function isFromAnotherSite(headers: Headers, origins: readonly string[]): boolean {
  const origin = headers.get("origin");
  return headers.get("sec-fetch-site") === "cross-site" || (origin !== null && !origins.includes(origin));
}

function unreadableForm(status: 400 | 415): Response {
  return plainPage(status, "This form could not be read", "Please go back and send it again.");
}

/** A page without styles and scripts. */
function plainPage(status: number, title: string, text: string, headers: Record<string, string> = {}): Response {
  const html = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<h1>${title}</h1>
<p>${text} Or call us on <a href="${provider.phoneHref}">${provider.phone}</a>.</p>
<p><a href="/">Home page</a></p>
</html>
`;
  return new Response(html, { status, headers: { ...headers, "Content-Type": "text/html; charset=utf-8" } });
}
