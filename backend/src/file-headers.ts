// Types that a browser shows and does not run.
const SHOWN = /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(?:pdf|json)|text\/plain)$/;
// Types that the pages' content security policy would load from the site's own origin.
const LOADABLE = /^(?:(?:application|text)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*|text\/css)$/;
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/**
 * Sets the headers that keep an uploaded file of a type, without parameters and in lower case, from running on the site's
 * origin. False if the file has to be sent as an attachment.
 */
export function secureFile(headers: Headers, type: string): boolean {
  headers.set("X-Content-Type-Options", "nosniff");
  if (LOADABLE.test(type)) headers.set("Content-Type", "text/plain; charset=utf-8");
  // Chromium shows no PDF in a sandbox.
  if (type !== "application/pdf") headers.set("Content-Security-Policy", SANDBOX);
  return SHOWN.test(type);
}
