import type { RenderedOgImage } from "../../og-image/rendered-og-image.server.ts";
import type { RenderOgImage } from "../../server/site-context.server.ts";

const FILE = /^([a-z0-9-]+)\.jpg$/;
const RETRY_AFTER_S = "10";

/** The name of an image without its ending; undefined if the file cannot be an image. */
export function imageName(file: string): string | undefined {
  return FILE.exec(file)?.[1];
}

/** Responds with a rendered Open Graph image. */
export async function ogImageResponse(request: Request, image: RenderedOgImage, render: RenderOgImage): Promise<Response> {
  // The address with the current version never shows anything else; any other address must be revalidated.
  const isCurrent = new URL(request.url).searchParams.get("v") === image.version;
  const headers = {
    "Content-Type": "image/jpeg",
    ETag: `"${image.version}"`,
    "Cache-Control": isCurrent ? "public, max-age=86400" : "public, max-age=0, must-revalidate",
  };
  if (request.headers.get("If-None-Match")?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
  const bytes = await render(image.text);
  return bytes === null ? unavailable() : new Response(bytes, { headers: { ...headers, "Content-Length": String(bytes.byteLength) } });
}

export function notFound(): Response {
  return new Response("Not found", { status: 404 });
}

export function unavailable(): Response {
  return new Response("Please try again later.", { status: 503, headers: { "Retry-After": RETRY_AFTER_S } });
}
