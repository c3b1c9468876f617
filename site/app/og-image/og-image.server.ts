import { provider } from "content/provider.ts";
import { drawable, type LinkWords } from "./og-image-text.ts";
import { londonDay } from "../time/london-date.ts";
import type { Published } from "../posts/published-posts.server.ts";

/** The picture that previews of a post show, where it has none of its own that they can. */
export interface LinkPicture {
  /** From the root of the site; another one when the picture says something else. */
  address: string;
  version: string;
  words: LinkWords;
}

/** What is drawn of a post. */
export type LinkedPost = Published<{ title: string; author: string; slug: string | null; published_at: string | null }>;

/** Another one when link pictures are drawn in another way, so that nobody goes on with what they kept. */
const LOOK = "1";

/** Gives a post's picture; null where its title, or the house's name, has letters that cannot be drawn. */
export async function linkPictureOf({ title, author, slug, published_at }: LinkedPost): Promise<LinkPicture | null> {
  const house = drawable(provider.name);
  const heading = drawable(title);
  if (house === null || heading === null) return null;
  const byline = [londonDay(published_at), drawable(author) ?? ""].filter(Boolean).join(" · ");
  const words = { house, title: heading, byline };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([LOOK, words])));
  const version = new Uint8Array(digest).toBase64({ alphabet: "base64url" }).slice(0, 12);
  return { address: `/social/blog/${slug}.jpg?v=${version}`, version, words };
}
