import { termsConditions } from "content/legal/terms-conditions.ts";
import { markdownSections, renderMarkdown } from "../../posts/markdown.ts";
import { siteContext } from "../../server/site-context.server.ts";
import type { Route } from "./+types/terms-conditions";
import { legalMeta, LegalText } from "./legal-text.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const { title, slug, effective, body } = termsConditions;
  return {
    title,
    slug,
    effective,
    html: renderMarkdown(body),
    sections: markdownSections(body),
    siteUrl: context.get(siteContext).siteUrl,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? legalMeta(loaderData) : [];
}

export default function Page({ loaderData }: Route.ComponentProps) {
  return <LegalText {...loaderData} />;
}
