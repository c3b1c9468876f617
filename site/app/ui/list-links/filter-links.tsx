import styles from "./filter-links.module.css";

interface FilterLinksProps {
  label: string;
  /** The text of the link that removes the filter. */
  all: string;
  options: readonly { value: string; label: string }[];
  chosen: string | undefined;
  /** The address of the page with this choice. */
  to: (value: string | undefined) => string;
}

/** A filter whose choices are links, so that it works without scripts and its state is in the address. */
export function FilterLinks({ label, all, options, chosen, to }: FilterLinksProps) {
  return (
    <nav aria-label={label} className={styles.filter}>
      <p aria-hidden="true">{label}</p>
      <ul className={styles.options}>
        {[{ value: undefined, label: all }, ...options].map(({ value, label: text }) => (
          <li key={text}>
            <a href={to(value)} aria-current={value === chosen ? "true" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
