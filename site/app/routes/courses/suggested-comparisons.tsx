import { courseById } from "content/courses/index.ts";
import { href } from "react-router";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./compare.module.css";

const SUGGESTIONS = [
  { question: "Which first job in security?", ids: ["door-supervisor", "security-officer", "cctv"] },
  { question: "Which first-aid course?", ids: ["emergency-first-aid-work", "first-aid-at-work-level3", "first-aid"] },
  { question: "Which safeguarding course?", ids: ["safeguarding-awareness", "safeguarding-lead"] },
];

const and = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Comparisons that visitors often want, as links. */
export function SuggestedComparisons() {
  return (
    <ul className={styles.suggestions}>
      {SUGGESTIONS.map(({ question, ids }) => {
        const courses = ids.map((id) => courseById(id)).filter((course) => course !== undefined);
        return (
          <li key={question}>
            <span className={styles.emblems}>
              {courses.map(({ id, image }) => (
                <img key={id} src={image} alt="" width="48" height="48" />
              ))}
            </span>
            <p>
              <a href={`${href("/courses/compare")}?${ids.map((id) => `course=${id}`).join("&")}`}>{question}</a>
              {noBreak(and.format(courses.map(({ title }) => title)))}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
