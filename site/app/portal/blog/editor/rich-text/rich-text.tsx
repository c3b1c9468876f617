import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from "react";
import { flushSync } from "react-dom";
import { FormatBar, shortcutOf } from "../format-bar.tsx";
import { openView, readSelection, stateOf } from "./editor-view.client.ts";
import { commands, richTools, toolsAt, type RichFormat } from "./formats.ts";
import { insertPicture } from "./insert-picture.ts";
import { LinkRow } from "./link-row.tsx";
import { linkAt, setLink } from "./links.ts";
import { openMarkdown, type MarkdownDocument } from "./markdown-document.ts";
import styles from "./rich-text.module.css";

export { openMarkdown };

/** The methods of the editor that the form calls. */
export interface RichTextHandle {
  focus: () => void;
  insertPicture: (address: string, alt: string) => void;
}

interface RichTextProps {
  /** The id of the text area that has the Markdown. */
  id: string;
  /** The Markdown. */
  value: string;
  isWrong: boolean;
  onChange: (markdown: string) => void;
  /** Called for Markdown that does not open as rich text. */
  onUnopenable: () => void;
  /** Returns true if it took the pictures of a paste or drop. */
  onFiles: (event: ClipboardEvent | DragEvent) => boolean;
  ref: Ref<RichTextHandle>;
}

/** An editor of rich text that reads and writes Markdown. */
export function RichText({ id, value, isWrong, onChange, onUnopenable, onFiles, ref }: RichTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const opened = useRef<MarkdownDocument>(null);
  const written = useRef(value);
  const [tools, setTools] = useState<ReturnType<typeof toolsAt>>();
  // The address in the row for a link; null while the row is closed.
  const [address, setAddress] = useState<string | null>(null);

  function apply(kind: RichFormat): void {
    if (!view.current) return;
    if (kind === "link") {
      const href = String(linkAt(view.current.state)?.mark.attrs["href"] ?? "");
      // At once, so that the next key is typed into the row.
      return flushSync(() => setAddress(href));
    }
    commands[kind](view.current.state, view.current.dispatch);
    view.current.focus();
  }

  const onState = useEffectEvent((state: EditorState, isChanged: boolean) => {
    setTools(toolsAt(state));
    if (!isChanged || !opened.current) return;
    written.current = opened.current.write(state.doc);
    onChange(written.current);
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const kind = shortcutOf(richTools, event);
    if (!kind || !view.current) return false;
    readSelection(view.current);
    apply(kind);
    return true;
  });
  const takeFiles = useEffectEvent(onFiles);

  const open = useEffectEvent(() => {
    opened.current = openMarkdown(value);
    written.current = value;
    if (!opened.current || !place.current) return onUnopenable();
    view.current = openView(place.current, {
      doc: opened.current.doc,
      onState: (state, isChanged) => onState(state, isChanged),
      onKey: (event) => onKey(event),
      onFiles: (event) => takeFiles(event),
    });
    setTools(toolsAt(view.current.state));
    // The text area had the focus when the editor was loaded.
    if (document.activeElement?.id === id) view.current.focus();
  });
  // A layout effect opens the editor before the text area is hidden; later, the next letters would be inserted before those typed into it.
  useLayoutEffect(() => {
    open();
    return () => view.current?.destroy();
  }, []);

  const show = useEffectEvent((markdown: string) => {
    if (markdown === written.current) return;
    written.current = markdown;
    opened.current = openMarkdown(markdown);
    if (!opened.current) return onUnopenable();
    view.current?.updateState(stateOf(opened.current.doc));
  });
  useEffect(() => show(value), [value]);

  useEffect(() => {
    const attributes = {
      id: `${id}_rich`,
      role: "textbox",
      "aria-multiline": "true",
      "aria-required": "true",
      "aria-label": "Content",
      "aria-describedby": isWrong ? `${id}-hint ${id}-error` : `${id}-hint`,
      "aria-invalid": String(isWrong),
    };
    view.current?.setProps({ attributes });
  }, [id, isWrong]);

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    insertPicture(src, alt) {
      if (!view.current) return;
      view.current.dispatch(insertPicture(view.current.state, src, alt));
      view.current.focus();
    },
  }));

  function closeLink(href?: string): void {
    setAddress(null);
    if (!view.current) return;
    if (href !== undefined) view.current.dispatch(setLink(view.current.state, href));
    view.current.focus();
  }

  return (
    <>
      <div className={styles.tools}>
        <FormatBar controls={`${id}_rich`} tools={richTools} {...tools} apply={apply} />
        {address !== null && <LinkRow address={address} link={closeLink} close={() => closeLink()} />}
      </div>
      <div ref={place} className={styles.place} />
    </>
  );
}
