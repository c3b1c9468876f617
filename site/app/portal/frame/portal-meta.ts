import { provider } from "content/provider.ts";
import type { MetaDescriptor } from "react-router";

/** The head of a portal page, which search engines must not list. */
export function portalMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${provider.name}` }, { name: "robots", content: "noindex, nofollow" }];
}
