import { provider } from "content/provider.ts";
import type { MetaDescriptor } from "react-router";
import { OG_IMAGE_SIZE, type OgImage } from "./og-image.ts";
import { excerpt } from "../posts/excerpt.ts";
import type { StructuredData } from "./structured-data.ts";

const LONGEST_DESCRIPTION = 160;

interface PageFacts {
  title: string;
  description: string;
  /** The path from the root of the site. */
  path: string;
  /** The number of the page, of a list in pages. */
  page?: number | undefined;
  siteUrl: string;
  /** The site's own image if not given. */
  image?: OgImage | undefined;
  graph?: readonly StructuredData[];
}

/** The metadata of a page by its type (specification §1). */
type SeoPage =
  | ({ type: "homepage" } & PageFacts)
  | ({ type: "course"; name: string; price: string } & PageFacts)
  | ({ type: "blog"; author?: string; published?: string } & PageFacts)
  | ({ type: "page" } & PageFacts);

/** The meta tags of a public page: title, description, canonical URL, Open Graph and JSON-LD. */
export function pageMeta(page: SeoPage): MetaDescriptor[] {
  const isLater = page.page !== undefined && page.page > 1;
  const url = page.siteUrl + page.path + (isLater ? `?page=${page.page}` : "");
  const title = (isLater ? `Page ${page.page}: ` : "") + page.title;
  const description = excerpt(
    page.type === "course" ? `${page.name}, ${page.price}. ${page.description}` : page.description,
    LONGEST_DESCRIPTION,
  );
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: provider.name },
    { property: "og:locale", content: "en_GB" },
    { property: "og:type", content: page.type === "blog" && page.published ? "article" : "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    ...imageMeta(page.image ?? SITE_IMAGE, page.siteUrl),
    ...typeMeta(page),
    ...(page.graph ? [{ "script:ld+json": { "@context": "https://schema.org", "@graph": [...page.graph] } }] : []),
  ];
}

/** Search engines cut longer titles. */
const LONGEST_TITLE = 60;

/** Returns the first title that is short enough, with the provider's name if there is room for it. */
export function pageTitle(...titles: readonly [string, ...string[]]): string {
  const candidates = [...titles.map((title) => `${title} | ${provider.name}`), ...titles];
  return candidates.find(({ length }) => length <= LONGEST_TITLE) ?? candidates.at(-1) ?? "";
}

const SITE_IMAGE: OgImage = {
  address: "/social/site.jpg",
  alt: `${provider.name}: security and first-aid training in ${provider.address.locality}`,
  size: OG_IMAGE_SIZE,
};

function imageMeta({ address, alt, size }: OgImage, siteUrl: string): MetaDescriptor[] {
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
