import { useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import styles from "./format-bar.module.css";

/** A button of a toolbar with its shortcut; its symbol is in `public/shapes/editor.svg`. */
export interface Tool<Kind extends string> {
  kind: Kind;
  label: string;
  /** The key of the shortcut with Ctrl, or Command on a Mac, as `KeyboardEvent.code`; none if the editor handles it. */
  code?: string;
  shift?: boolean;
  keys: string;
  /** True for a tool that acts once, so that it has no pressed state. */
  isAction?: boolean;
}

interface FormatBarProps<Kind extends string> {
  /** The id of the editor. */
  controls: string;
  tools: readonly Tool<Kind>[];
  apply: (kind: Kind) => void;
  /** The formats at the cursor; nothing if the editor does not know them. */
  pressed?: ReadonlySet<Kind> | undefined;
  /** The tools that do nothing at the cursor. */
  idle?: ReadonlySet<Kind> | undefined;
}

/** Returns the format of a keyboard shortcut. */
export function shortcutOf<Kind extends string>(
  tools: readonly Tool<Kind>[],
  event: Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): Kind | undefined {
  if (event.altKey || event.ctrlKey === event.metaKey) return undefined;
  return tools.find(({ code, shift = false }) => code === event.code && shift === event.shiftKey)?.kind;
}

/** The toolbar of formats; the Tab key reaches it once, arrow keys move between its buttons. */
export function FormatBar<Kind extends string>({ controls, tools, apply, pressed, idle }: FormatBarProps<Kind>) {
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
    <div
      ref={bar}
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      className={styles.bar}
      onKeyDown={move}
      onMouseDown={keepFocus}
    >
      {tools.map(({ kind, label, keys, isAction }, index) => (
        <button
          key={kind}
          type="button"
          className={styles.tool}
          tabIndex={index === stop ? 0 : -1}
          aria-label={label}
          aria-keyshortcuts={keys}
          aria-pressed={isAction ? undefined : pressed?.has(kind)}
          // Not `disabled`: a button that has the focus must keep it.
          aria-disabled={idle?.has(kind)}
          title={`${label} (${keys.replace("Control", "Ctrl")})`}
          onFocus={() => setStop(index)}
          onClick={() => {
            setStop(index);
            apply(kind);
          }}
        >
          <svg aria-hidden="true">
            <use href={`/shapes/editor.svg#${kind}`} />
          </svg>
        </button>
      ))}
    </div>
  );
}

/** Leaves the focus in the text, so that a phone does not close its keyboard. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
