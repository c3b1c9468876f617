import { photoOf } from "../../../pictures/photos.ts";
import { Countdown } from "../../../ui/countdown/countdown.tsx";
import { Picture } from "../../../ui/picture.tsx";
import type { ComingSoonFacts, CourseCardFacts, NextStart } from "../home-data.ts";
import styles from "./course-card.module.css";

interface CourseCardProps {
  course: CourseCardFacts;
  next: NextStart | undefined;
  /** True if no course starts earlier: seconds tick on one card only. */
  nearest: boolean;
  now: number;
}

/** A course in the catalogue, with the time left if it has an upcoming date. */
export function CourseCard({ course, next, nearest, now }: CourseCardProps) {
  const { id, title, link, image, description, duration, price, colour } = course;
  return (
    <article className={styles.card} data-colour={colour}>
      <Picture
        photo={photoOf("courses", id)}
        src={image}
        alt=""
        width="240"
        height="240"
        sizes="240px"
        loading="lazy"
        className={styles.emblem}
      />
      <h3>{title}</h3>
      <p className={styles.facts}>{`${duration}, ${price}`}</p>
      <p className={styles.description}>{description}</p>
      {next && (
        <div className={styles.next}>
          <p>
            Next start <time dateTime={next.instant}>{next.text}</time>
          </p>
          {nearest ? <Countdown target={next.instant} now={now} /> : <p>{next.left}</p>}
        </div>
      )}
      <a href={link} className={styles.more}>
        Learn more<span className="visually-hidden">{` about ${title}`}</span>
      </a>
    </article>
  );
}

/** An announced course that cannot be booked yet. */
export function ComingSoonCard({ id, title, duration, price }: ComingSoonFacts) {
  return (
    <article className={styles.card} data-colour="heather">
      <img src={`/images/coming-soon/${id}.svg`} alt="" width="240" height="240" loading="lazy" className={styles.emblem} />
      <h3>{title}</h3>
      <p className={styles.facts}>{`${duration}, ${price}`}</p>
      <p className={styles.description}>No dates yet: tell us if you are interested.</p>
      <a href="#enquiry" className={styles.more}>
        Ask for a date<span className="visually-hidden">{` of ${title}`}</span>
      </a>
    </article>
  );
}
