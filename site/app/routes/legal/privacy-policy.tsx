import { privacyPolicy } from "content/legal/privacy-policy.ts";
import { VisitSwitch } from "../../visits/visit-switch.tsx";
import { markdownSections, renderMarkdown } from "../../posts/markdown.ts";
import { siteContext } from "../../server/site-context.server.ts";
import type { Route } from "./+types/privacy-policy";
import { legalMeta, LegalText } from "./legal-text.tsx";
import styles from "./privacy-policy.module.css";

const SWITCH = { id: "switch", title: "The switch" };

export function loader({ context }: Route.LoaderArgs) {
  const { title, slug, effective, body } = privacyPolicy;
  return {
    title,
    slug,
    effective,
    html: renderMarkdown(body),
    sections: [...markdownSections(body), SWITCH],
    siteUrl: context.get(siteContext).siteUrl,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? legalMeta(loaderData) : [];
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
