import { href } from "react-router";
import { Button } from "../ui/button.tsx";
import styles from "./visit-switch.module.css";

/**
 * The form to opt out of the statistics. The page is the same for every visitor, so a script shows the button that applies;
 * without scripts nothing is counted.
 */
export function VisitSwitch() {
  return (
    <form method="post" action={href("/visit-opt-out")} className={styles.switch}>
      <p>
        We count page views to improve this site, with a cookie of our own and nobody else’s.{" "}
        <a href={`${href("/privacy-policy")}#the-statistics-cookie`}>What is counted</a>
      </p>
      <p data-visit-state="opted-out" hidden>
        Your visits are not counted.
      </p>
      <p data-visit-state="signal" hidden>
        Your browser’s Global Privacy Control is on, so your visits are not counted.
      </p>
      <Button type="submit" name="opt_out" value="1" look="plain" size="small" className={styles.button} data-visit-state="counted">
        Do not count my visits
      </Button>
      <Button
        type="submit"
        name="opt_out"
        value="0"
        look="plain"
        size="small"
        className={styles.button}
        data-visit-state="opted-out"
        hidden
      >
        Count my visits again
      </Button>
    </form>
  );
}
