import { provider } from "content/provider.ts";
import type { Register } from "react-router";
import ridges from "../../../../public/images/ridges.svg?raw";
import { ButtonLink } from "../../../ui/button.tsx";
import type { Daylight } from "./daylight.ts";
import { Tagline } from "./tagline.tsx";
import styles from "./hero.module.css";

// The document contains the outlines, and the browser loads their details. React keeps the server's, so that no script contains them.
const outlines = import.meta.env.SSR ? withLinkedGroups(ridges) : "";
// Checked as by `href`, which would load the router's script.
const ROUTE = "/route" satisfies keyof Register["pages"];

/** The hero of the home page, in the light of the current time of day in Cumbria. */
export function Hero({ light }: { light: Daylight }) {
  const { address, phone, phoneHref } = provider;
  return (
    <section className={styles.hero} data-light={light} aria-label="Welcome">
      <div className={`wrap ${styles.words}`}>
        <h1>
          Your route into security and <span>first-aid</span> work
        </h1>
        <Tagline />
        <p className={styles.actions}>
          <ButtonLink href="#dates">See the next dates</ButtonLink>
          <a href={ROUTE} className={styles.route}>
            Plan your route
          </a>
          <span>
            Call <a href={phoneHref}>{phone}</a> in {address.locality}
          </span>
        </p>
      </div>
      <div className={styles.ridges} aria-hidden="true" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: outlines }} />
    </section>
  );
}

/** Replaces each group of the drawing by a reference to it, which the browser loads later. */
function withLinkedGroups(drawing: string): string {
  const [start = "", ...groups] = drawing.split('<g id="');
  return (
    start +
    groups
      .map((group) => {
        const id = group.slice(0, group.indexOf('"'));
        return `<use href="/images/ridges.svg#${id}"/>${group.slice(group.indexOf("</g>") + "</g>".length)}`;
      })
      .join("")
  );
}
