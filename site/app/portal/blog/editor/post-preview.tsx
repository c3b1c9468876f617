import { useEffect, useRef, useState } from "react";
import { Prose } from "../../../ui/prose.tsx";
import type { Fields } from "../schema.ts";
import styles from "./post-preview.module.css";

/** Debounce, so that a long text is not rendered on every key. */
const PAUSE_MS = 150;

type Render = (markdown: string) => string;

/** The post as visitors will see it, rendered by the renderer of the public page. */
export function PostPreview({ fields: { title, image_url, content } }: { fields: Fields }) {
  const [render, setRender] = useState<Render | "loading" | "failed">("loading");
  const [html, setHtml] = useState("");
  const preview = useRef<HTMLElement>(null);

  useEffect(() => {
    import("../../../posts/markdown.ts").then(
      ({ renderMarkdown }) => setRender(() => renderMarkdown),
      () => setRender("failed"),
    );
  }, []);

  useEffect(() => {
    if (typeof render === "string") return;
    const timer = setTimeout(() => setHtml(render(content)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [render, content]);

  // Links open in a new tab, so that the editor stays open.
  useEffect(() => {
    const region = preview.current;
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link) return;
      event.preventDefault();
      window.open(link.href, "_blank", "noopener");
    };
    region?.addEventListener("click", follow);
    return () => region?.removeEventListener("click", follow);
  }, []);

  return (
    // The section scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={preview} aria-label="Preview" className={styles.preview} tabIndex={0}>
      <p className="soft">Preview</p>
      {title.trim() !== "" && <p className={styles.title}>{title}</p>}
      {URL.canParse(image_url, location.href) && image_url !== "" && (
        <img src={image_url} alt="" width="1280" height="720" className={styles.picture} />
      )}
      {render === "failed" ? <p>The preview could not be loaded.</p> : <Prose html={html} />}
    </section>
  );
}
