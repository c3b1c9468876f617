import { Suspense, use, useState, useTransition } from "react";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { StatisticsAnswer } from "./statistics-answer.tsx";
import type { StatsAnswer } from "./queries.ts";
import styles from "./statistics.module.css";

const PERIODS = [7, 30, 90, 365];
const FIRST_PERIOD = 30;

export type FetchStats = (days: number) => Promise<StatsAnswer>;

/** The statistics panel: it asks when it is shown, for another period when one is picked, and again where that failed. */
export function Statistics({ fetchStats }: { fetchStats: FetchStats }) {
  const [days, setDays] = useState(FIRST_PERIOD);
  const [asked, setAsked] = useState(() => fetchStats(FIRST_PERIOD));
  // What is shown stays until the next answer is there.
  const [isPending, startTransition] = useTransition();

  function ask(period: number): void {
    setDays(period);
    startTransition(() => setAsked(fetchStats(period)));
  }

  return (
    <section aria-labelledby="statistics" className={styles.panel}>
      <div className={styles.head}>
        <h2 id="statistics">Website Statistics</h2>
        <fieldset className={styles.periods}>
          <legend className="visually-hidden">Period</legend>
          {PERIODS.map((period) => (
            <label key={period}>
              <input type="radio" name="period" checked={period === days} onChange={() => ask(period)} />
              <span>{period} days</span>
            </label>
          ))}
        </fieldset>
      </div>
      <Suspense fallback={<Spinner label="Loading statistics…" />}>
        <div aria-busy={isPending} className={isPending ? styles.pending : undefined}>
          <Answer asked={asked} onRetry={() => ask(days)} />
        </div>
      </Suspense>
    </section>
  );
}

function Answer({ asked, onRetry }: { asked: Promise<StatsAnswer>; onRetry: () => void }) {
  const answer = use(asked);
  if (answer.ok) return <StatisticsAnswer stats={answer.stats} />;
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
