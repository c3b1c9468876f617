import { countText } from "./figures.ts";
import type { CourseFunnel } from "./schema.ts";
import styles from "./tables.module.css";

const STEPS = [
  ["views", "Views"],
  ["enquiries", "Enquiries"],
  ["bookings", "Bookings"],
] as const;

/** Views, enquiries and bookings of each course that had any. */
export function CourseFunnelTable({ courses }: { courses: readonly CourseFunnel[] }) {
  const happened = courses.filter((course) => course.views + course.enquiries + course.bookings > 0);
  if (happened.length === 0) return <p>No course was viewed, enquired about or booked.</p>;
  return (
    <table className={styles.funnel}>
      <caption className="visually-hidden">From view to booking</caption>
      <thead>
        <tr>
          <th scope="col">Course</th>
          {STEPS.map(([step, heading]) => (
            <th key={step} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {happened.map((course) => (
          <tr key={course.page_path}>
            <th scope="row">
              <a href={course.page_path}>{course.title}</a>
            </th>
            {STEPS.map(([step]) => (
              <td key={step} className="number">
                {countText(course[step])}
                <span className="visually-hidden"> {step}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
