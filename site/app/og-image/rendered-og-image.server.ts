import { provider } from "content/provider.ts";
import { drawable, type OgImageText } from "./og-image-text.ts";

/** An Open Graph image that is rendered on request. */
export interface RenderedOgImage {
  /** The URL, relative to the root of the site; it contains the version. */
  address: string;
  /** A hash of what the image shows. */
  version: string;
  text: OgImageText;
}

// Change it when the design changes, so that stored copies are replaced.
const DESIGN = "2";

/** Describes the image at a path; null if its title or the provider's name has letters that cannot be drawn. */
export async function renderedOgImage(
  path: string,
  { title, facts, emblem }: { title: string; facts: readonly string[]; emblem?: OgImageText["emblem"] },
): Promise<RenderedOgImage | null> {
  const siteName = drawable(provider.name);
  const heading = drawable(title);
  if (siteName === null || heading === null) return null;
  const byline = facts.map((fact) => drawable(fact) ?? "").filter(Boolean);
  const text = { siteName, title: heading, byline: byline.join(" · "), ...(emblem && { emblem }) };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([DESIGN, text])));
  const version = new Uint8Array(digest).toBase64({ alphabet: "base64url" }).slice(0, 12);
  return { address: `${path}?v=${version}`, version, text };
}
