const NAME = "post-editor";
const MARKDOWN = "markdown";

/** True if this browser shows posts in Markdown. */
export function prefersMarkdown(): boolean {
  return localStorage.getItem(NAME) === MARKDOWN;
}

/** Remembers in this browser whether posts are shown in Markdown. */
export function rememberMarkdown(isPreferred: boolean): void {
  if (isPreferred) localStorage.setItem(NAME, MARKDOWN);
  else localStorage.removeItem(NAME);
}
