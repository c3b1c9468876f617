import { secureFile } from "backend";

const STORAGE = "/storage/v1/";
const RENDITIONS = "/storage/v1/render/image/public/";
const OBJECTS = "/storage/v1/object/public/";

/** Redirects to the stored image if the project renders no images, as on the free plan; undefined for other responses. */
export async function redirectToOriginal(pathname: string, answer: Response): Promise<Response | undefined> {
  if (answer.ok || !pathname.startsWith(RENDITIONS) || !answer.headers.get("content-type")?.includes("json")) return undefined;
  const refusal: unknown = await answer.clone().json();
  if (!isFeatureOff(refusal)) return undefined;
  const headers = { Location: OBJECTS + pathname.slice(RENDITIONS.length), "Cache-Control": "public, max-age=3600" };
  return new Response(null, { status: 302, headers });
}

/**
 * Adapts the headers of a storage response to the site's origin: uploads continue at the site, and a file that could run
 * scripts does not run there.
 */
export function adaptStorageHeaders(pathname: string, headers: Headers): void {
  if (!pathname.startsWith(STORAGE)) return;
  const location = URL.parse(headers.get("location") ?? "", "http://storage");
  if (location?.pathname.startsWith(STORAGE)) headers.set("Location", location.pathname + location.search);
  const type = (headers.get("content-type") ?? "text/plain").split(";", 1)[0] ?? "";
  if (secureFile(headers, type.trim().toLowerCase())) return;
  headers.set("Content-Disposition", headers.get("content-disposition")?.replace(/^inline\b/i, "attachment") ?? "attachment");
}

function isFeatureOff(refusal: unknown): boolean {
  if (typeof refusal !== "object" || refusal === null) return false;
  const { code, error } = { code: undefined, error: undefined, ...refusal };
  return code === "FeatureNotEnabled" || error === "FeatureNotEnabled";
}
