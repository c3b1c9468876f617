import { href } from "react-router";
import { excerpt } from "../../posts/excerpt.ts";
import { londonDay } from "../../time/london-date.ts";
import { markdownText, readingMinutes } from "../../posts/markdown.ts";
import type { PublishedPost } from "../../posts/published-posts.server.ts";

const EXCERPT_LENGTH = 150;
/** The beginning of a text that an excerpt is made of: parsing whole posts took seconds for a list of a hundred long ones. */
const EXCERPT_SOURCE_LENGTH = 1000;

/** The fields of a post in lists and on its page. */
export interface PostSummary {
  title: string;
  path: string;
  author: string;
  imageUrl: string | null;
  /** An ISO instant. */
  published: string;
  /** The last change, or the publication if that is later; an ISO instant. */
  updated: string;
  /** "17 November 2026" */
  day: string;
  minutes: number;
  excerpt: string;
}

/** Selects and formats the fields of a post. */
export function toSummary(post: Omit<PublishedPost, "id" | "created_at">): PostSummary {
  const beginning = markdownText(post.content.slice(0, EXCERPT_SOURCE_LENGTH));
  return {
    title: post.title,
    path: href("/blog/:slug", { slug: post.slug }),
    author: post.author,
    imageUrl: post.image_url,
    published: new Date(post.published_at).toISOString(),
    updated: new Date(Math.max(Date.parse(post.updated_at), Date.parse(post.published_at))).toISOString(),
    day: londonDay(post.published_at),
    minutes: readingMinutes(post.content),
    excerpt: excerpt(beginning, EXCERPT_LENGTH),
  };
}
