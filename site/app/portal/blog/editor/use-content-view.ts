import { useEffectEvent, useLayoutEffect, useState, type RefObject } from "react";
import { prefersMarkdown, rememberMarkdown } from "./preferred-view.ts";
import type * as RichTextModule from "./rich-text/rich-text.tsx";

/** A post is shown as rich text, or as Markdown by choice, because of HTML, or because the editor was not loaded. */
type ContentView = "rich" | "markdown" | "html" | "failed";

interface ContentViewState {
  view: ContentView;
  /** The editor of rich text, once it is loaded. */
  editor: typeof RichTextModule | null;
  /** Shows the other view, and shows posts in it from then on. */
  switchView: () => void;
  /** Shows Markdown that does not open as rich text. */
  showHtml: () => void;
}

const loadEditor = (): Promise<typeof RichTextModule | null> => import("./rich-text/rich-text.tsx").catch(() => null);

/** Loads the editor of rich text, unless this browser prefers Markdown; until then, and without it, a post is shown as Markdown. */
export function useContentView(textArea: RefObject<HTMLTextAreaElement | null>): ContentViewState {
  const [editor, setEditor] = useState<typeof RichTextModule | null>(null);
  const [view, setView] = useState<ContentView>("markdown");

  /** `before` is the text before the editor was loaded by itself. */
  const show = useEffectEvent((loaded: typeof RichTextModule | null, before?: string) => {
    if (!loaded) return setView("failed");
    setEditor(loaded);
    const area = textArea.current;
    if (!area) return;
    // A switch would move the cursor of somebody who types.
    if (before !== undefined && area.value !== before && document.activeElement === area) return;
    setView(loaded.openMarkdown(area.value) ? "rich" : "html");
  });
  // A layout effect reads the text before the text area is on screen, so that nothing is typed yet.
  useLayoutEffect(() => {
    const before = textArea.current?.value;
    if (!prefersMarkdown()) void loadEditor().then((loaded) => show(loaded, before));
  }, [textArea]);

  function switchView(): void {
    rememberMarkdown(view === "rich");
    if (view === "rich") setView("markdown");
    else void loadEditor().then((loaded) => show(loaded));
  }

  return { view, editor, switchView, showHtml: () => setView("html") };
}
