import { pictureAttributes } from "../../pictures/stored-pictures.ts";
import { PostByline } from "./post-byline.tsx";
import type { PostSummary } from "./post-view.server.ts";
import styles from "./blog.module.css";

/** Posts as cards; nothing if there are none. */
export function PostList({ posts }: { posts: readonly PostSummary[] }) {
  if (posts.length === 0) return null;
  return (
    <ul className={styles.posts}>
      {posts.map((post, index) => (
        <li key={post.path}>
          <PostCard post={post} first={index === 0} />
        </li>
      ))}
    </ul>
  );
}

const CARD_WIDTH = "(min-width: 78.5rem) 31rem, (min-width: 48rem) 42vw, calc(100vw - 2.5rem)";

function PostCard({ post, first }: { post: PostSummary; first: boolean }) {
  return (
    <article className={styles.card}>
      {post.imageUrl && (
        <img
          {...pictureAttributes(post.imageUrl, CARD_WIDTH)}
          alt=""
          width="640"
          height="360"
          loading={first ? "eager" : "lazy"}
          className={styles.picture}
        />
      )}
      <div className={styles.text}>
        <h2>
          <a href={post.path}>{post.title}</a>
        </h2>
        <PostByline post={post} />
        <p>{post.excerpt}</p>
      </div>
    </article>
  );
}
