import type { ReactNode } from "react";
import styles from "./row-actions.module.css";

/** The buttons of a row, beside each other where there is room. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
