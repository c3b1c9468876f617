import { provider } from "content/provider.ts";
import type { MetaDescriptor } from "react-router";
import { excerpt } from "./excerpt.ts";
import type { StructuredData } from "./structured-data.ts";

const LONGEST_DESCRIPTION = 160;

interface PageFacts {
  title: string;
  description: string;
  /** From the root of the site. */
  path: string;
  siteUrl: string;
  /** A picture for previews, from the root of the site or whole. */
  image?: string | undefined;
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
  const image = new URL(previewImage(page.image), page.siteUrl).href;
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
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
    ...typeMeta(page),
    ...(page.graph ? [{ "script:ld+json": { "@context": "https://schema.org", "@graph": [...page.graph] } }] : []),
  ];
}

/** Previews show no SVG; where there is nothing else, the site's own picture serves (social-images.ts draws it). */
function previewImage(image: string | undefined): string {
  return image === undefined || image.endsWith(".svg") ? "/social/site.jpg" : image;
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
