import { provider } from "content/provider.ts";
import type { ReactNode } from "react";
import { href } from "react-router";
import { londonDay } from "../../time/london-date.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";
import styles from "./legal-text.module.css";

interface LegalFacts {
  title: string;
  /** An ISO date. */
  effective: string;
}

/** The meta tags of the legal page at a path. */
export function legalMeta(path: string, { title, effective, siteUrl }: LegalFacts & { siteUrl: string }) {
  return pageMeta({
    type: "page",
    title: `${title} | ${provider.name}`,
    description: `${title} of ${provider.name}, effective ${londonDay(effective)}.`,
    path,
    siteUrl,
  });
}

interface LegalTextProps extends LegalFacts {
  html: string;
  /** The headings of the page for its table of contents. */
  sections: readonly { id: string; title: string }[];
  children?: ReactNode;
}

/** A legal text with its effective date, its table of contents and the controls that the text mentions. */
export function LegalText({ title, effective, html, sections, children }: LegalTextProps) {
  return (
    <main id="main" className="wrap">
      <PageHead
        title={title}
        lead={
          <>
            Effective <time dateTime={effective}>{londonDay(effective)}</time>
          </>
        }
        up={{ href: href("/"), label: "Home" }}
      />
      <div className={styles.columns}>
        <nav aria-labelledby="contents" className={styles.contents}>
          <h2 id="contents">On this page</h2>
          <ul className={styles.links}>
            {sections.map(({ id, title: heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.text}>
          <Prose html={html} />
          {children}
        </div>
      </div>
    </main>
  );
}
