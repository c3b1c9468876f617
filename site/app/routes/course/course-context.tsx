import { guidanceOf, questions } from "content/guidance.ts";
import { provider } from "content/provider.ts";
import { reviews, reviewsNote } from "content/reviews.ts";
import type { Course } from "content/types.ts";
import { instalments, INSTALMENTS_FROM, mapLink, visit, visitNote } from "content/visit.ts";
import { href } from "react-router";
import { noBreak } from "../../ui/no-break.ts";
import { Stars } from "../../ui/sign.tsx";
import { CourseGuidance } from "./course-guidance.tsx";
import styles from "./course-guidance.module.css";

const MOST_REVIEWS = 3;

/** The sections of a course page that follow from other content: licence, payment, reviews, the way there and questions. */
export function CourseContext({ course }: { course: Course }) {
  const own = reviews.filter(({ course: about }) => about === course.courseName).slice(0, MOST_REVIEWS);
  return (
    <>
      {guidanceOf(course).map((guidance) => (
        <CourseGuidance key={guidance.id} guidance={guidance} />
      ))}
      <Payment course={course} />
      {own.length > 0 && (
        <section aria-labelledby="reviews">
          <h2 id="reviews">Reviews of this course</h2>
          <div className={styles.reviews}>
            {own.map(({ name, text, rating }) => (
              <figure key={name}>
                <p className={styles.stars}>
                  <Stars count={rating} />
                  <span className="visually-hidden">{`${rating} out of 5 stars`}</span>
                </p>
                <blockquote>{text}</blockquote>
                <figcaption>{name}</figcaption>
              </figure>
            ))}
          </div>
          <p className={styles.note}>{reviewsNote}</p>
        </section>
      )}
      <Visit />
      <Questions />
    </>
  );
}

function Payment({ course }: { course: Course }) {
  const ways = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(provider.payment);
  return (
    <section aria-labelledby="payment">
      <h2 id="payment">Paying, and groups</h2>
      <p>{`Pay by ${ways} before the course begins.`}</p>
      {course.price >= INSTALMENTS_FROM && <p>{instalments}</p>}
      <p>
        For a group, or at your workplace, <a href={`${href("/enquiry")}?course=${course.id}`}>ask for a quote</a>.
      </p>
    </section>
  );
}

function Visit() {
  const { street, locality, postalCode } = provider.address;
  return (
    <section aria-labelledby="visit">
      <h2 id="visit">Getting here</h2>
      <p>
        {`${provider.venue}: ${street}, ${locality} `}
        {postalCode.replace(" ", "\u00A0")}.{" "}
        {mapLink && (
          <a href={mapLink} rel="noopener">
            Show on a map
          </a>
        )}
      </p>
      <div className={styles.folds}>
        {visit.map(({ title, text }) => (
          <details key={title}>
            <summary>{title}</summary>
            <p>{noBreak(text)}</p>
          </details>
        ))}
      </div>
      {visitNote && <p className={styles.note}>{visitNote}</p>}
    </section>
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
