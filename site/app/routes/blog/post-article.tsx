import { href } from "react-router";
import type { ReactNode } from "react";
import { pictureAttributes } from "../../pictures/stored-pictures.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Scene } from "../../ui/scene.tsx";
import { PostByline } from "./post-byline.tsx";
import type { PostSummary } from "./post-view.server.ts";
import type { RelatedCourse } from "./related-courses.ts";
import styles from "./post-article.module.css";

interface PostArticleProps {
  summary: PostSummary;
  html: string;
  related: readonly RelatedCourse[];
  /** A message above the post. */
  notice?: ReactNode;
}

/** A post with links to the courses it mentions. */
export function PostArticle({ summary, html, related, notice }: PostArticleProps) {
  return (
    <main id="main" className={`wrap ${styles.page}`}>
      <article className={styles.post}>
        {notice && <div className={styles.notice}>{notice}</div>}
        <PageHead title={summary.title} up={{ href: href("/blog"), label: "Blog" }} />
        <PostByline post={summary} />
        {summary.imageUrl && (
          <img
            {...pictureAttributes(summary.imageUrl, "(min-width: 44.5rem) 42rem, calc(100vw - 2.5rem)")}
            alt=""
            width="1280"
            height="720"
            fetchPriority="high"
            className={styles.picture}
          />
        )}
        <Prose html={html} />
      </article>
      <aside className={styles.aside} aria-labelledby="aside">
        <h2 id="aside">{related.length > 0 ? "Courses in this post" : "Train with us"}</h2>
        <ul className={styles.links}>
          {related.map(({ title, link, facts }) => (
            <li key={link}>
              <a href={link}>{title}</a>
              <span>{facts}</span>
            </li>
          ))}
          <li>
            <a href="/#dates">Next dates</a>
          </li>
          <li>
            <a href={href("/enquiry")}>Ask a question</a>
          </li>
        </ul>
      </aside>
      <p className={styles.back}>
        <a href={href("/blog")}>Back to Blog</a>
      </p>
    </main>
  );
}

/** The page for a post that does not exist or could not be read. */
export function PostProblem({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="wrap">
      <Scene picture="/images/page-eaten.svg">
        <PageHead title={title} up={{ href: href("/"), label: "Home" }} />
        <div className={styles.problem}>{children}</div>
        <p className={styles.back}>
          <ButtonLink href={href("/blog")}>Back to Blog</ButtonLink>
        </p>
      </Scene>
    </main>
  );
}
