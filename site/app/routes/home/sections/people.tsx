import { team } from "content/team.ts";
import type { TeamMember } from "content/types.ts";
import { photoOf } from "../../../pictures/photos.ts";
import { Slides } from "../../../ui/carousel/carousel.tsx";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./team-section.module.css";

/** The people of the team as slides. */
export function People() {
  return <Slides slides={team.map((member) => ({ key: member.id, content: <Person member={member} /> }))} />;
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
