import { provider } from "content/provider.ts";
import type { ReactNode } from "react";
import { londonDay } from "../../london-date.ts";
import { pageMeta } from "../../seo.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";

interface LegalFacts {
  title: string;
  slug: string;
  /** An ISO date. */
  effective: string;
}

/** The meta tags of a legal page. */
export function legalMeta({ title, slug, effective, siteUrl }: LegalFacts & { siteUrl: string }) {
  return pageMeta({
    type: "page",
    title: `${title} | ${provider.name}`,
    description: `${title} of ${provider.name}, effective ${londonDay(effective)}.`,
    path: `/${slug}`,
    siteUrl,
  });
}

/** A legal text, the day it came into force, and what the text speaks of as being on its page. */
export function LegalText({ title, effective, html, children }: LegalFacts & { html: string; children?: ReactNode }) {
  return (
    <main id="main" className="wrap">
      <PageHead
        title={title}
        lead={
          <>
            Effective <time dateTime={effective}>{londonDay(effective)}</time>
          </>
        }
        up={{ href: "/", label: "Home" }}
      />
      <Prose html={html} />
      {children}
    </main>
  );
}
