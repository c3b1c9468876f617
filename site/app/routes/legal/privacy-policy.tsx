import { privacyPolicy } from "content/legal/privacy-policy.ts";
import { VisitSwitch } from "../../visits/visit-switch.tsx";
import { markdownSections, renderMarkdown } from "../../posts/markdown.ts";
import { href } from "react-router";
import { siteContext } from "../../server/site-context.server.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import type { Route } from "./+types/privacy-policy";
import { legalMeta, LegalText } from "./legal-text.tsx";
import styles from "./privacy-policy.module.css";

const SWITCH = { id: "switch", title: "The switch" };

export const handle: PageHandle = { cache: true };

export function loader({ context }: Route.LoaderArgs) {
  const { title, effective, body } = privacyPolicy;
  return {
    title,
    effective,
    html: renderMarkdown(body),
    sections: [...markdownSections(body), SWITCH],
    siteUrl: context.get(siteContext).siteUrl,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? legalMeta(href("/privacy-policy"), loaderData) : [];
}

export default function Page({ loaderData }: Route.ComponentProps) {
  return (
    <LegalText {...loaderData}>
      <section aria-labelledby={SWITCH.id} className={styles.switch}>
        <h2 id={SWITCH.id}>{SWITCH.title}</h2>
        <VisitSwitch />
      </section>
    </LegalText>
  );
}
