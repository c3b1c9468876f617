import { href } from "react-router";
import { Button } from "../../ui/button.tsx";
import { noBreak } from "../../ui/no-break.ts";
import { daysOf } from "./days-of.ts";
import type { ListedCourse } from "./listed-course.ts";
import styles from "./courses.module.css";

const SHOWN_PREREQUISITES = 2;

/** The courses, each with a box to choose it for the comparison. */
export function CourseList({ courses }: { courses: readonly ListedCourse[] }) {
  return (
    <form action={href("/courses/compare")} className={styles.form}>
      <ul className={styles.list}>
        {courses.map((course) => (
          <li key={course.id}>
            <CourseRow course={course} />
          </li>
        ))}
      </ul>
      <div className={styles.compare}>
        <Button type="submit">Compare the chosen courses</Button>
        <span>Up to three</span>
      </div>
    </form>
  );
}

function CourseRow({ course }: { course: ListedCourse }) {
  const { id, title, link, image, description, price, duration, prerequisites, next, colour } = course;
  return (
    <article className={styles.row} data-colour={colour}>
      <img src={image} alt="" width="72" height="72" loading="lazy" className={styles.emblem} />
      <div className={styles.what}>
        <h2>
          <a href={link}>{noBreak(title)}</a>
        </h2>
        <p>{noBreak(description)}</p>
        <p className={styles.first}>
          <strong>You need:</strong> {noBreak(prerequisites.slice(0, SHOWN_PREREQUISITES).join(". "))}.
        </p>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Price</dt>
          <dd>{price}</dd>
        </div>
        <div>
          <dt>Length</dt>
          <dd>{duration}</dd>
        </div>
        <div className={styles.next}>
          <dt>Next date</dt>
          <dd>
            {next ? (
              <>
                <a href={`${link}#dates`}>{daysOf(next)}</a>
                <span>{`${next.week}, ${next.hours}`}</span> <span>{next.places}</span>
              </>
            ) : (
              <a href={`${href("/enquiry")}?course=${id}`}>Ask for a date</a>
            )}
          </dd>
        </div>
      </dl>
      <label className={styles.choose}>
        <input type="checkbox" name="course" value={id} />
        <span>
          Compare<span className="visually-hidden">{` ${title}`}</span>
        </span>
      </label>
    </article>
  );
}
