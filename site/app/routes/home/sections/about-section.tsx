import { about } from "content/about.ts";
import { provider } from "content/provider.ts";
import type { ReactNode } from "react";
import type { AboutFacts } from "../home-data.ts";
import styles from "./about-section.module.css";

/** The about section, with the provider's facts beside the text. */
export function AboutSection({ prices, payment }: AboutFacts) {
  const { founded, serviceRadiusKm, address, openingHours } = provider;
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
          <Fact name="Prices">{prices}</Fact>
          <Fact name="Pay by">{payment}</Fact>
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
