import { about } from "content/about.ts";
import { priceRange } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { ReactNode } from "react";
import { pounds } from "../../../course-dates/money.ts";
import styles from "./about-section.module.css";

/** The about section, with the provider's facts beside the text. */
export function AboutSection() {
  const { founded, serviceRadiusKm, address, openingHours, payment } = provider;
  return (
    <section id="about" aria-labelledby="about-heading" className={styles.section}>
      <div className={`wrap ${styles.columns}`}>
        <div className={styles.text}>
          <h2 id="about-heading">{about.heading}</h2>
          {about.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <dl className={styles.facts}>
          <Fact name="Teaching since">{founded}</Fact>
          <Fact name="We come to you">
            Within {serviceRadiusKm} km of {address.locality}
          </Fact>
          <Fact name="Prices">
            {pounds(priceRange.from)} to {pounds(priceRange.to)}
          </Fact>
          <Fact name="Pay by">{new Intl.ListFormat("en-GB", { type: "disjunction" }).format(payment)}</Fact>
          <Fact name="Office hours">{openingHours.text}</Fact>
        </dl>
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  );
}
