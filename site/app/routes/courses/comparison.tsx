import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/button.tsx";
import { noBreak } from "../../ui/no-break.ts";
import { daysOf } from "./days-of.ts";
import type { ListedCourse } from "./listed-course.ts";
import styles from "./compare.module.css";

const ROWS: readonly [name: string, value: (course: ListedCourse) => ReactNode][] = [
  ["Price", ({ price }) => <strong>{price}</strong>],
  ["Length", ({ duration }) => duration],
  ["Next date", ({ next }) => (next ? `${daysOf(next)}, ${next.hours}` : "None set")],
  ["Places", ({ next }) => next?.places ?? "None"],
  ["Level", ({ level }) => (level ? noBreak(level) : "No level")],
  ["Group", ({ group }) => group ?? "No fixed limit"],
  ["What you need first", ({ prerequisites }) => <Items items={prerequisites} />],
  ["What you get", ({ features }) => <Items items={features} />],
];

/** The facts of courses as a table: a column for each course. */
export function Comparison({ courses }: { courses: readonly ListedCourse[] }) {
  return (
    // A region that scrolls sideways must take the focus, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="Comparison" tabIndex={0} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td>
              <span className="visually-hidden">Fact</span>
            </td>
            {courses.map(({ id, title, link, image, colour }) => (
              <th key={id} scope="col" data-colour={colour}>
                <img src={image} alt="" width="56" height="56" />
                <a href={link}>{noBreak(title)}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {courses.map((course) => (
                <td key={course.id}>{value(course)}</td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">Book</th>
            {courses.map(({ id, title, link }) => (
              <td key={id}>
                <ButtonLink href={`${link}#dates`} size="small" aria-label={`See dates of ${title}`}>
                  See dates
                </ButtonLink>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Items({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{noBreak(item)}</li>
      ))}
    </ul>
  );
}
