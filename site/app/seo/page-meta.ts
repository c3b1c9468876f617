import { provider } from "content/provider.ts";
import type { MetaDescriptor } from "react-router";
import { excerpt } from "../posts/excerpt.ts";
import type { StructuredData } from "./structured-data.ts";

const LONGEST_DESCRIPTION = 160;

/** A picture that previews of a page show. */
export interface PreviewPicture {
  /** From the root of the site, or whole. */
  address: string;
  alt: string;
  /** In pixels, where it is known. */
  size?: { width: number; height: number } | undefined;
}

/** What every picture is that we draw for previews (scripts/og-images.ts, server/og-images). */
export const DRAWN_SIZE = { width: 1200, height: 630 };

interface PageFacts {
  title: string;
  description: string;
  /** From the root of the site. */
  path: string;
  siteUrl: string;
  /** What previews show; the site's own picture unless given. */
  image?: PreviewPicture | undefined;
  graph?: readonly StructuredData[];
}

/** What a page tells search engines and previews, by its type (specification §1). */
export type SeoPage =
  | ({ type: "homepage" } & PageFacts)
  | ({ type: "course"; name: string; price: string } & PageFacts)
  | ({ type: "blog"; author?: string; published?: string } & PageFacts)
  | ({ type: "page" } & PageFacts);

/** The meta tags of a public page: title, description, canonical address, Open Graph and JSON-LD. */
export function pageMeta(page: SeoPage): MetaDescriptor[] {
  const url = page.siteUrl + page.path;
  const description = excerpt(
    page.type === "course" ? `${page.name}, ${page.price}. ${page.description}` : page.description,
    LONGEST_DESCRIPTION,
  );
  return [
    { title: page.title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: provider.name },
    { property: "og:locale", content: "en_GB" },
    { property: "og:type", content: page.type === "blog" && page.published ? "article" : "website" },
    { property: "og:title", content: page.title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    ...imageMeta(page.image ?? COMMON_PICTURE, page.siteUrl),
    ...typeMeta(page),
    ...(page.graph ? [{ "script:ld+json": { "@context": "https://schema.org", "@graph": [...page.graph] } }] : []),
  ];
}

const COMMON_PICTURE: PreviewPicture = {
  address: "/social/site.jpg",
  alt: "Fells with a path to the summit, and the words: Security and first-aid training",
  size: DRAWN_SIZE,
};

function imageMeta({ address, alt, size }: PreviewPicture, siteUrl: string): MetaDescriptor[] {
  const url = new URL(address, siteUrl).href;
  return [
    { property: "og:image", content: url },
    ...(size
      ? [
          { property: "og:image:width", content: String(size.width) },
          { property: "og:image:height", content: String(size.height) },
        ]
      : []),
    { property: "og:image:alt", content: alt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:image", content: url },
    { name: "twitter:image:alt", content: alt },
  ];
}

function typeMeta(page: SeoPage): MetaDescriptor[] {
  if (page.type === "course") {
    return [
      { name: "course:name", content: page.name },
      { name: "course:price", content: page.price },
    ];
  }
  if (page.type !== "blog") return [];
  return [
    ...(page.author ? [{ name: "author", content: page.author }] : []),
    ...(page.published ? [{ property: "article:published_time", content: page.published }] : []),
  ];
}
