import { provider } from "content/provider.ts";
import { reviews, reviewsNote } from "content/reviews.ts";
import type { Review } from "content/types.ts";
import { excerpt } from "../../../posts/excerpt.ts";
import { Carousel } from "../../../ui/carousel/carousel.tsx";
import { Stars } from "../../../ui/sign.tsx";
import styles from "./testimonials.module.css";

const TIMING = { intervalMs: 4000, resumeMs: 2000 };
const SHOWN_LENGTH = 150;

/** The reviews, and how they are collected. */
export function Testimonials() {
  const { value, count } = provider.rating;
  return (
    <section id="testimonials" aria-labelledby="testimonials-heading" className={styles.section}>
      <div className="wrap">
        <div className={styles.head}>
          <h2 id="testimonials-heading">What learners say</h2>
          <p className={styles.rating}>
            <strong>{value}</strong> {`out of 5, from ${count} ratings`}
          </p>
        </div>
        <Carousel
          label="Reviews"
          timing={TIMING}
          slides={reviews.map((review) => ({ key: review.name, content: <ReviewCard review={review} /> }))}
        />
        <p className={styles.note}>{reviewsNote}</p>
      </div>
    </section>
  );
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
        {course && <span className={styles.course}>{course}</span>}
      </figcaption>
    </figure>
  );
}
