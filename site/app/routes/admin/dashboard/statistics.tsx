import { Suspense, use, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { StatsAnswer } from "./queries.ts";
import type { ViewedPage } from "./schema.ts";
import styles from "./statistics.module.css";

const number = new Intl.NumberFormat("en-GB");

/** The statistics panel: it asks when it is shown, and again where that failed. */
export function Statistics({ fetchStats }: { fetchStats: () => Promise<StatsAnswer> }) {
  const [asked, setAsked] = useState(fetchStats);
  return (
    <section aria-labelledby="statistics" className={styles.panel}>
      <h2 id="statistics">Website Statistics</h2>
      <Suspense fallback={<Spinner label="Loading statistics…" />}>
        <Answer asked={asked} onRetry={() => setAsked(fetchStats())} />
      </Suspense>
    </section>
  );
}

function Answer({ asked, onRetry }: { asked: Promise<StatsAnswer>; onRetry: () => void }) {
  const answer = use(asked);
  if (!answer.ok) {
    return (
      <div className={styles.failure}>
        <Message tone="error">
          <p>
            <strong>Failed to load website statistics</strong>
          </p>
          <p>{answer.message}</p>
        </Message>
        <Button look="plain" size="small" onClick={onRetry}>
          Try Again
        </Button>
      </div>
    );
  }
  const { periodDays, uniqueVisitors, totalPageViews, mostViewedPages } = answer.stats;
  return (
    <div className={styles.answer}>
      <div className={styles.part}>
        <h3>The last {periodDays} days</h3>
        <dl className={styles.sums}>
          <div>
            <dt>Unique Visitors</dt>
            <dd>{number.format(uniqueVisitors)}</dd>
          </div>
          <div>
            <dt>Total Page Views</dt>
            <dd>{number.format(totalPageViews)}</dd>
          </div>
        </dl>
      </div>
      <div className={styles.part}>
        <h3>Most Viewed Pages</h3>
        {mostViewedPages.length === 0 ? <p>No course page views recorded yet.</p> : <MostViewed pages={mostViewedPages} />}
      </div>
    </div>
  );
}

function MostViewed({ pages }: { pages: readonly ViewedPage[] }) {
  const most = Math.max(...pages.map((page) => page.views), 1);
  return (
    <table className={styles.pages}>
      <caption className="visually-hidden">Most viewed pages</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Page</th>
          <th scope="col">Views</th>
        </tr>
      </thead>
      <tbody>
        {pages.map(({ title, page_path, views }) => (
          <tr key={page_path}>
            <th scope="row">
              <a href={page_path}>{title}</a>
              <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * views) / most} height="4" />
              </svg>
            </th>
            <td className="number">{number.format(views)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
