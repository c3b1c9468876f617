import { useEffect, useState } from "react";
import { Prose } from "../../ui/prose.tsx";
import styles from "./changed-values.module.css";

/** An earlier or later text of a post as visitors see it; as Markdown until the renderer is loaded. */
export function PostVersion({ markdown }: { markdown: string }) {
  const [html, setHtml] = useState<string | null>(null);
  useEffect(() => {
    import("../../posts/markdown.ts").then(
      ({ renderMarkdown }) => setHtml(renderMarkdown(markdown)),
      () => setHtml(null),
    );
  }, [markdown]);
  return (
    // The text scrolls, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label="Text of the post" tabIndex={0} className={styles.version}>
      {html === null ? markdown : <Prose html={html} />}
    </section>
  );
}
