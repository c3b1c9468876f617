import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { counted } from "../../frame/counted.ts";
import styles from "./selection.module.css";

interface SelectedBarProps {
  count: number;
  /** The word for one row: "booking". */
  noun: string;
  nouns: string | undefined;
  clear: () => void;
  /** The actions on the selected rows. */
  children: ReactNode;
}

/** The actions on the selected rows, at the lower edge of the screen. */
export function SelectedBar({ count, noun, nouns, clear, children }: SelectedBarProps) {
  /** Moves the focus to the first selected row, because the bar disappears. */
  function clearAtRow(): void {
    document.querySelector<HTMLElement>("main input[data-select]:checked")?.focus();
    clear();
  }

  return (
    <section aria-label="Selection" className={styles.bar}>
      <strong role="status">{counted(count, noun, nouns)} selected</strong>
      {children}
      <Button look="plain" size="small" onClick={() => print()}>
        Print
      </Button>
      <Button look="plain" size="small" onClick={clearAtRow}>
        Clear selection
      </Button>
    </section>
  );
}
