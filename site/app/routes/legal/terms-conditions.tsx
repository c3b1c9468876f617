import { termsConditions } from "content/legal/terms-conditions.ts";
import { markdownSections, renderMarkdown } from "../../posts/markdown.ts";
import { href } from "react-router";
import { siteContext } from "../../server/site-context.server.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import type { Route } from "./+types/terms-conditions";
import { legalMeta, LegalText } from "./legal-text.tsx";

export const handle: PageHandle = { cache: true };

export function loader({ context }: Route.LoaderArgs) {
  const { title, effective, body } = termsConditions;
  return {
    title,
    effective,
    html: renderMarkdown(body),
    sections: markdownSections(body),
    siteUrl: context.get(siteContext).siteUrl,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? legalMeta(href("/terms-conditions"), loaderData) : [];
}

export default function Page({ loaderData }: Route.ComponentProps) {
  return <LegalText {...loaderData} />;
}
