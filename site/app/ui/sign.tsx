import styles from "./sign.module.css";

const ARROWS = { left: "M15 8H2M8 2 2 8l6 6", right: "M1 8h13M8 2l6 6-6 6", up: "M8 15V2M2 8l6-6 6 6", down: "M8 1v13M2 8l6 6 6-6" };
const STAR = "m10 .8 2.8 5.9 6.4.8-4.7 4.4 1.2 6.4L10 15.2l-5.7 3.1 1.2-6.4L.8 7.5l6.4-.8z";
const STAR_WIDTH = 22;

// SVG, because the fonts of the site have neither arrows nor stars and not every system has a font with them.

/** An arrow, hidden from screen readers. */
export function Arrow({ to }: { to: keyof typeof ARROWS }) {
  return (
    <svg className={styles.sign} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ARROWS[to]} />
    </svg>
  );
}

/** A row of stars, hidden from screen readers. */
export function Stars({ count }: { count: number }) {
  return (
    <svg className={styles.stars} viewBox={`0 0 ${count * STAR_WIDTH} 20`} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <path key={index} d={STAR} transform={`translate(${index * STAR_WIDTH})`} />
      ))}
    </svg>
  );
}
