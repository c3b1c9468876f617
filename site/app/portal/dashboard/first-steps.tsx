import { href, Link } from "react-router";
import styles from "./today.module.css";

/** The first tasks in a portal without course dates. */
export function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className={styles.part}>
      <h2 id="first-steps">What to do first</h2>
      <ol className={styles.steps}>
        <li>
          <Link to={`${href("/admin/courses")}?new`}>Add the first course date</Link>. Visitors see it on the website at once.
        </li>
        <li>
          <Link to={href("/admin/staff")}>Invite your colleagues</Link>, so that each signs in with an account of their own.
        </li>
        <li>
          <Link to={`${href("/admin/bookings")}?new`}>Take the first booking</Link> when somebody calls.
        </li>
        <li>
          <a href="/">Look at the website</a> as visitors see it.
        </li>
      </ol>
    </section>
  );
}
