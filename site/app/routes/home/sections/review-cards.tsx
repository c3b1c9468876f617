import { courseByName } from "content/courses/index.ts";
import { reviews } from "content/reviews.ts";
import type { Review } from "content/types.ts";
import { excerpt } from "../../../posts/excerpt.ts";
import { Slides } from "../../../ui/carousel/carousel.tsx";
import { Stars } from "../../../ui/sign.tsx";
import styles from "./testimonials.module.css";

const SHOWN_LENGTH = 150;

/** The reviews as slides. */
export function ReviewCards() {
  return <Slides slides={reviews.map((review) => ({ key: review.name, content: <ReviewCard review={review} /> }))} />;
}

function ReviewCard({ review: { name, text, rating, course } }: { review: Review }) {
  const short = excerpt(text, SHOWN_LENGTH);
  return (
    <figure className={styles.review}>
      <p className={styles.stars}>
        <Stars count={rating} />
        <span className="visually-hidden">{`${rating} out of 5 stars`}</span>
      </p>
      {short === text ? (
        <blockquote>{text}</blockquote>
      ) : (
        <blockquote>
          <details className={styles.long}>
            <summary>
              <span className={styles.short}>{short}</span> <span className={styles.more}>Read all</span>
              <span className={styles.less}>Show less</span>
            </summary>
            <p>{text}</p>
          </details>
        </blockquote>
      )}
      <figcaption>
        <span className={styles.name}>{name}</span>
        {course && <span className={styles.course}>{courseByName(course)?.title}</span>}
      </figcaption>
    </figure>
  );
}
