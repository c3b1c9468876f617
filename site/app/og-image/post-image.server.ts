import { linkPictureOf } from "./og-image.server.ts";
import type { PublishedPost } from "../posts/published-posts.server.ts";
import { DRAWN_SIZE, type PreviewPicture } from "../seo/page-meta.ts";
import { previewOf } from "../pictures/stored-pictures.ts";

/** What previews of a post show: its own picture, or its title, drawn; undefined where that cannot be. Previews show no SVG. */
export async function postPreview(post: PublishedPost): Promise<PreviewPicture | undefined> {
  const { title, image_url: own } = post;
  if (own !== null && !/\.svg(?:[?#]|$)/i.test(own)) return { ...previewOf(own), alt: `Picture for “${title}”` };
  const drawn = await linkPictureOf(post);
  return drawn ? { address: drawn.address, alt: title, size: DRAWN_SIZE } : undefined;
}
