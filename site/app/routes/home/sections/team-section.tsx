import { teamNote } from "content/team.ts";
import type { ServerContent } from "../../../document/server-content.ts";
import { Carousel } from "../../../ui/carousel/carousel.tsx";
import styles from "./team-section.module.css";

const TIMING = { intervalMs: 4000, resumeMs: 2000 };

/** The team. */
export function TeamSection({ count, people }: { count: number; people: ServerContent }) {
  return (
    <section id="team" aria-labelledby="team-heading" className={styles.section}>
      <div className="wrap">
        <h2 id="team-heading">Meet the team</h2>
        <Carousel label="Team" timing={TIMING} show="people" count={count} row={people} />
        {teamNote && <p className={styles.note}>{teamNote}</p>}
      </div>
    </section>
  );
}
