import { priceRange } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Course } from "content/types.ts";
import { href } from "react-router";
import { pounds } from "../course-dates/money.ts";
import { renderedOgImage, type RenderedOgImage } from "./rendered-og-image.server.ts";

const PLACE = `${provider.address.locality}, ${provider.address.region}`;

/** Describes the image of a course, with its price, length, place and emblem; null if it cannot be drawn. */
export function courseImage({ id, title, price, duration, image }: Course): Promise<RenderedOgImage | null> {
  const path = href("/social/:file", { file: `${id}.jpg` });
  return renderedOgImage(path, { title, facts: [pounds(price), duration, PLACE], emblem: image });
}

/** Describes the image of all other pages. */
export function siteImage(): Promise<RenderedOgImage | null> {
  const path = href("/social/:file", { file: "site.jpg" });
  return renderedOgImage(path, { title: "Security and first-aid training", facts: [`Courses from ${pounds(priceRange.from)}`, PLACE] });
}
