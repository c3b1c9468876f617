import { href } from "react-router";
import { previewOf } from "../pictures/stored-pictures.ts";
import type { Published, PublishedPost } from "../posts/published-posts.server.ts";
import { OG_IMAGE_SIZE, type OgImage } from "../seo/og-image.ts";
import { londonDay } from "../time/london-date.ts";
import { renderedOgImage, type RenderedOgImage } from "./rendered-og-image.server.ts";

/** The fields of a post that its rendered image shows. */
type OgImagePost = Published<{ title: string; author: string; slug: string | null; published_at: string | null }>;

/** Describes the rendered image of a post; null if it cannot be drawn. */
export function renderedPostImage({ title, author, slug, published_at }: OgImagePost): Promise<RenderedOgImage | null> {
  return renderedOgImage(href("/social/blog/:file", { file: `${slug}.jpg` }), { title, facts: [londonDay(published_at), author] });
}

/** The Open Graph image of a post: its cover image, or else a rendered one; link previews show no SVG. */
export async function ogImageOf(post: PublishedPost): Promise<OgImage | undefined> {
  const { title, image_url: cover } = post;
  if (cover !== null && !/\.svg(?:[?#]|$)/i.test(cover)) return { ...previewOf(cover), alt: `Picture for “${title}”` };
  const rendered = await renderedPostImage(post);
  return rendered ? { address: rendered.address, alt: title, size: OG_IMAGE_SIZE } : undefined;
}
