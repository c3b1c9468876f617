import { provider } from "content/provider.ts";
import { href } from "react-router";
import { previewOf } from "../pictures/stored-pictures.ts";
import type { Published, PublishedPost } from "../posts/published-posts.server.ts";
import { OG_IMAGE_SIZE, type OgImage } from "../seo/og-image.ts";
import { londonDay } from "../time/london-date.ts";
import { drawable, type OgImageText } from "./og-image-text.ts";

/** The Open Graph image that is rendered for a post. */
export interface RenderedOgImage {
  /** From the root of the site; contains the version. */
  address: string;
  /** A hash of what the image shows. */
  version: string;
  text: OgImageText;
}

/** The fields of a post that its rendered image shows. */
export type OgImagePost = Published<{ title: string; author: string; slug: string | null; published_at: string | null }>;

// Change it when the design changes, so that stored copies are replaced.
const DESIGN = "1";

/** Describes the rendered image of a post; null if its title or the provider's name has letters that cannot be drawn. */
export async function renderedOgImage({ title, author, slug, published_at }: OgImagePost): Promise<RenderedOgImage | null> {
  const siteName = drawable(provider.name);
  const heading = drawable(title);
  if (siteName === null || heading === null) return null;
  const byline = [londonDay(published_at), drawable(author) ?? ""].filter(Boolean).join(" · ");
  const text = { siteName, title: heading, byline };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([DESIGN, text])));
  const version = new Uint8Array(digest).toBase64({ alphabet: "base64url" }).slice(0, 12);
  return { address: `${href("/social/blog/:file", { file: `${slug}.jpg` })}?v=${version}`, version, text };
}

/** The Open Graph image of a post: its cover image, or else a rendered one; link previews show no SVG. */
export async function ogImageOf(post: PublishedPost): Promise<OgImage | undefined> {
  const { title, image_url: cover } = post;
  if (cover !== null && !/\.svg(?:[?#]|$)/i.test(cover)) return { ...previewOf(cover), alt: `Picture for “${title}”` };
  const rendered = await renderedOgImage(post);
  return rendered ? { address: rendered.address, alt: title, size: OG_IMAGE_SIZE } : undefined;
}
