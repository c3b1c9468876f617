import { accreditations } from "content/accreditations.ts";
import styles from "./accreditations.module.css";

/** The schemes behind the certificates. */
export function Accreditations() {
  return (
    <section id="accreditations" aria-labelledby="accreditations-heading" className={styles.section}>
      <div className="wrap">
        <h2 id="accreditations-heading">Who stands behind your certificate</h2>
        <ul className={styles.list}>
          {accreditations.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
