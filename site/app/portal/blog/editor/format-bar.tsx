import { useRef, useState, type KeyboardEvent } from "react";
import type { Format } from "./formatting.ts";
import styles from "./format-bar.module.css";

interface Tool {
  kind: Format;
  label: string;
  /** The key of the shortcut with Ctrl, or Command on a Mac, as `KeyboardEvent.code`. */
  code: string;
  shift?: boolean;
  keys: string;
}

const tools: readonly Tool[] = [
  { kind: "bold", label: "Bold", code: "KeyB", keys: "Control+B" },
  { kind: "italic", label: "Italic", code: "KeyI", keys: "Control+I" },
  { kind: "link", label: "Link", code: "KeyK", keys: "Control+K" },
  { kind: "heading", label: "Heading", code: "Digit2", shift: true, keys: "Control+Shift+2" },
  { kind: "list", label: "List", code: "Digit8", shift: true, keys: "Control+Shift+8" },
];

/** Returns the format of a keyboard shortcut. */
export function shortcutOf(event: Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): Format | undefined {
  if (event.altKey || event.ctrlKey === event.metaKey) return undefined;
  return tools.find(({ code, shift = false }) => code === event.code && shift === event.shiftKey)?.kind;
}

/** The toolbar of Markdown formats; the Tab key reaches it once, arrow keys move between its buttons. */
export function FormatBar({ controls, apply }: { controls: string; apply: (kind: Format) => void }) {
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);

  function move(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = by === undefined ? { Home: 0, End: tools.length - 1 }[event.key] : (stop + by + tools.length) % tools.length;
    if (to === undefined) return;
    event.preventDefault();
    setStop(to);
    bar.current?.querySelectorAll("button")[to]?.focus();
  }

  return (
    // The buttons take the focus instead of the toolbar.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={bar} role="toolbar" aria-label="Formatting" aria-controls={controls} className="row" onKeyDown={move}>
      {tools.map(({ kind, label, keys }, index) => (
        <button
          key={kind}
          type="button"
          className={`${styles.tool} ${styles[kind]}`}
          tabIndex={index === stop ? 0 : -1}
          aria-keyshortcuts={keys}
          title={`${label} (${keys.replace("Control", "Ctrl")})`}
          onFocus={() => setStop(index)}
          onClick={() => apply(kind)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
