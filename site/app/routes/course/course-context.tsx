import { guidanceOf, questions } from "content/guidance.ts";
import { provider } from "content/provider.ts";
import { reviews, reviewsNote } from "content/reviews.ts";
import type { Course, Review } from "content/types.ts";
import { instalments, INSTALMENTS_FROM, mapLink, visit, visitNote } from "content/visit.ts";
import { href } from "react-router";
import { noBreak } from "../../ui/no-break.ts";
import { Stars } from "../../ui/sign.tsx";
import { CourseGuidance } from "./course-guidance.tsx";
import styles from "./course-guidance.module.css";
import { Fold } from "./fold.tsx";

const MOST_REVIEWS = 3;

/** The sections of a course page that follow from other content: reviews, licence, payment, the way there and questions. */
export function CourseContext({ course }: { course: Course }) {
  return (
    <>
      <Reviews course={course} />
      <div className={styles.more}>
        {guidanceOf(course).map((guidance) => (
          <CourseGuidance key={guidance.id} guidance={guidance} />
        ))}
        <Payment course={course} />
        <Visit />
      </div>
      <Questions />
    </>
  );
}

function Reviews({ course }: { course: Course }) {
  const [first, ...others] = reviews.filter(({ course: about }) => about === course.courseName).slice(0, MOST_REVIEWS);
  if (!first) return null;
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews">Reviews of this course</h2>
      <ReviewQuote review={first} />
      {others.length > 0 && (
        <div className={styles.folds}>
          <details>
            <summary>{others.length === 1 ? "Show another review" : `Show ${others.length} more reviews`}</summary>
            {others.map((review) => (
              <ReviewQuote key={review.name} review={review} />
            ))}
          </details>
        </div>
      )}
      <p className={styles.note}>{reviewsNote}</p>
    </section>
  );
}

function ReviewQuote({ review: { name, text, rating } }: { review: Review }) {
  return (
    <figure className={styles.review}>
      <p className={styles.stars}>
        <Stars count={rating} />
        <span className="visually-hidden">{`${rating} out of 5 stars`}</span>
      </p>
      <blockquote>{text}</blockquote>
      <figcaption>{name}</figcaption>
    </figure>
  );
}

function Payment({ course }: { course: Course }) {
  const ways = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(provider.payment);
  return (
    <Fold id="payment" title="Paying, and groups">
      <p>{`Pay by ${ways} before the course begins.`}</p>
      {course.price >= INSTALMENTS_FROM && <p>{instalments}</p>}
      <p>
        For a group, or at your workplace, <a href={`${href("/enquiry")}?course=${course.id}`}>ask for a quote</a>.
      </p>
    </Fold>
  );
}

function Visit() {
  const { street, locality, postalCode } = provider.address;
  return (
    <Fold id="visit" title="Getting here">
      <p>
        {`${provider.venue}: ${street}, ${locality} `}
        {postalCode.replace(" ", "\u00A0")}.{" "}
        {mapLink && (
          <a href={mapLink} rel="noopener">
            Show on a map
          </a>
        )}
      </p>
      <dl className={styles.ways}>
        {visit.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{noBreak(text)}</dd>
          </div>
        ))}
      </dl>
      {visitNote && <p className={styles.note}>{visitNote}</p>}
    </Fold>
  );
}

function Questions() {
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Questions and answers</h2>
      <div className={styles.folds}>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{noBreak(answer)}</p>
          </details>
        ))}
      </div>
      <p className={styles.link}>
        <a href={href("/terms-conditions")}>Terms and conditions</a>
      </p>
    </section>
  );
}
