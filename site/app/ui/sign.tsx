import styles from "./sign.module.css";

const ARROWS = { left: "M15 8H2M8 2 2 8l6 6", right: "M1 8h13M8 2l6 6-6 6", up: "M8 15V2M2 8l6-6 6 6", down: "M8 1v13M2 8l6 6 6-6" };

// SVG, because the fonts of the site have neither arrows nor stars and not every system has a font with them.

/** An arrow, hidden from screen readers. */
export function Arrow({ to }: { to: keyof typeof ARROWS }) {
  return (
    <svg className={styles.sign} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ARROWS[to]} />
    </svg>
  );
}

/** A row of one to five stars, hidden from screen readers. */
export function Stars({ count }: { count: number }) {
  return <span className={styles.stars} data-count={count} aria-hidden="true" />;
}
