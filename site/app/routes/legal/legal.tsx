import { privacyPolicy } from "content/legal/privacy-policy.ts";
import { termsConditions } from "content/legal/terms-conditions.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { markdownSections, renderMarkdown } from "../../posts/markdown.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { londonDay } from "../../time/london-date.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";
import { VisitSwitch } from "../../visits/visit-switch.tsx";
import type { Route } from "./+types/legal";
import styles from "./legal.module.css";

const SWITCH = { id: "switch", title: "The switch" };

/** The text of the page's path. The privacy policy ends with the switch that it mentions. */
export function loader({ request, context }: Route.LoaderArgs) {
  const path = new URL(request.url).pathname;
  const isPolicy = path === href("/privacy-policy");
  const { title, effective, body } = isPolicy ? privacyPolicy : termsConditions;
  return {
    path,
    title,
    effective,
    html: renderMarkdown(body),
    sections: [...markdownSections(body), ...(isPolicy ? [SWITCH] : [])],
    hasSwitch: isPolicy,
    siteUrl: context.get(siteContext).siteUrl,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { path, title, effective, siteUrl } = loaderData;
  return pageMeta({
    type: "page",
    title: `${title} | ${provider.name}`,
    description: `${title} of ${provider.name}, effective ${londonDay(effective)}.`,
    path,
    siteUrl,
  });
}

/** A legal text with its effective date and its table of contents. */
export default function Legal({ loaderData: { title, effective, html, sections, hasSwitch } }: Route.ComponentProps) {
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
          {hasSwitch && (
            <section aria-labelledby={SWITCH.id} className={styles.switch}>
              <h2 id={SWITCH.id}>{SWITCH.title}</h2>
              <VisitSwitch />
            </section>
          )}
        </div>
      </div>
    </main>
  );
}
