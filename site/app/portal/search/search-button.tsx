import { Suspense, useState } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { usePageKeys } from "../frame/use-page-keys.ts";
import styles from "./search.module.css";

const SearchDialog = lazyPart(async () => ({ default: (await import("./search-dialog.tsx")).SearchDialog }));

/** Opens the search, also with "/" outside a field and with Ctrl K or Command K anywhere. */
export function SearchButton() {
  // A number as the key of the dialog: it can be opened again before its close event arrives.
  const [open, setOpen] = useState(0);
  usePageKeys((event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const combined = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k";
    const slash = key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping(event.target);
    // A question that is open stays in front; in the text of a post, Control K makes a link.
    if (event.defaultPrevented || (!combined && !slash) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    setOpen((number) => number + 1);
  });
  return (
    <>
      <button type="button" className={styles.button} aria-keyshortcuts="/ Control+K Meta+K" onClick={() => setOpen(1)}>
        <svg className={styles.icon} aria-hidden="true">
          <use href="/shapes/portal.svg#search" />
        </svg>
        Search
        <kbd aria-hidden="true">/</kbd>
      </button>
      {open > 0 && (
        <Suspense>
          <SearchDialog key={open} onClose={() => setOpen(0)} />
        </Suspense>
      )}
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
