import type { PostSummary } from "./post-view.server.ts";
import styles from "./post-byline.module.css";

/** A post's author, date and reading time. */
export function PostByline({ post: { author, published, day, minutes } }: { post: PostSummary }) {
  return (
    <p className={styles.byline}>
      <span>{author}</span> <time dateTime={published}>{day}</time> <span>{minutes} min read</span>
    </p>
  );
}
