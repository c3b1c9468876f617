import { provider } from "content/provider.ts";
import type { MetaDescriptor } from "react-router";

/** The head of a portal page; search engines are told to stay away. */
export function portalMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${provider.name}` }, { name: "robots", content: "noindex, nofollow" }];
}
