import { team } from "content/team.ts";
import type { TeamMember } from "content/types.ts";
import { photoOf } from "../../../pictures/photos.ts";
import { Carousel } from "../../../ui/carousel/carousel.tsx";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./team-section.module.css";

const TIMING = { intervalMs: 4000, resumeMs: 2000 };

/** The team. */
export function TeamSection() {
  return (
    <section id="team" aria-labelledby="team-heading" className={styles.section}>
      <div className="wrap">
        <h2 id="team-heading">Meet the team</h2>
        <Carousel
          label="Team"
          timing={TIMING}
          show="people"
          slides={team.map((member) => ({ key: member.id, content: <Person member={member} /> }))}
        />
      </div>
    </section>
  );
}

function Person({ member: { id, name, role, description, image } }: { member: TeamMember }) {
  return (
    <article className={styles.person}>
      <Picture
        photo={photoOf("team", id)}
        src={image}
        alt={`Portrait of ${name}`}
        width="320"
        height="320"
        sizes="320px"
        loading="lazy"
        className={styles.portrait}
      />
      <h3>{name}</h3>
      <p className={styles.role}>{role}</p>
      <p>{description}</p>
    </article>
  );
}
