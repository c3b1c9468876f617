import { provider } from "content/provider.ts";
import { reviewsNote } from "content/reviews.ts";
import type { ServerContent } from "../../../document/server-content.ts";
import { Carousel } from "../../../ui/carousel/carousel.tsx";
import styles from "./testimonials.module.css";

const TIMING = { intervalMs: 4000, resumeMs: 2000 };

/** The reviews, and how they are collected. */
export function Testimonials({ count, cards }: { count: number; cards: ServerContent }) {
  const { value, count: ratings } = provider.rating;
  return (
    <section id="testimonials" aria-labelledby="testimonials-heading" className={styles.section}>
      <div className="wrap">
        <div className={styles.head}>
          <h2 id="testimonials-heading">What learners say</h2>
          <p className={styles.rating}>
            <strong>{value}</strong> {`out of 5, from ${ratings} ratings`}
          </p>
        </div>
        <Carousel label="Reviews" timing={TIMING} count={count} row={cards} />
        <p className={styles.note}>{reviewsNote}</p>
      </div>
    </section>
  );
}
