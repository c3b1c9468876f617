import { Suspense, use, useState, useTransition, type ComponentType } from "react";
import { href, Link, useSearchParams } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { BriefStatistics } from "./brief-statistics.tsx";
import { fetchStats, type StatsResult, type WebsiteStats } from "./stats.ts";
import styles from "./statistics.module.css";

const PERIODS = [7, 30, 90, 365];
const FIRST_PERIOD = 30;

interface WebsiteStatisticsProps {
  /** Shows all statistics, instead of the sums with a link to them. An argument, because the dashboard does not load its code. */
  Full?: ComponentType<{ stats: WebsiteStats }>;
}

/** The website statistics of a period; loads again if another period is chosen or after an error. */
export function WebsiteStatistics({ Full }: WebsiteStatisticsProps) {
  const [search, setSearch] = useSearchParams();
  const [days, setDays] = useState(() => PERIODS.find((period) => String(period) === search.get("days")) ?? FIRST_PERIOD);
  const [loading, setLoading] = useState(() => fetchStats(browserClient(), days));
  // The previous figures stay visible while the next ones load.
  const [isPending, startTransition] = useTransition();

  function load(period: number): void {
    setDays(period);
    setSearch(period === FIRST_PERIOD ? {} : { days: String(period) }, { replace: true, preventScrollReset: true });
    startTransition(() => setLoading(fetchStats(browserClient(), period)));
  }

  return (
    <section aria-labelledby="statistics" className={styles.panel}>
      <div className="row spread">
        <h2 id="statistics">Website Statistics</h2>
        <fieldset className={styles.periods}>
          <legend className="visually-hidden">Period</legend>
          {PERIODS.map((period) => (
            <label key={period}>
              <input type="radio" name="period" checked={period === days} onChange={() => load(period)} />
              <span>{period} days</span>
            </label>
          ))}
        </fieldset>
      </div>
      <Suspense fallback={<Spinner label="Loading statistics…" />}>
        <div aria-busy={isPending} className={isPending ? styles.pending : undefined}>
          <Result loading={loading} Full={Full} onRetry={() => load(days)} />
        </div>
      </Suspense>
      {!Full && <Link to={`${href("/admin/statistics")}?days=${days}`}>All statistics</Link>}
    </section>
  );
}

interface ResultProps {
  loading: Promise<StatsResult>;
  Full: WebsiteStatisticsProps["Full"] | undefined;
  onRetry: () => void;
}

function Result({ loading, Full, onRetry }: ResultProps) {
  const result = use(loading);
  if (result.ok) return Full ? <Full stats={result.stats} /> : <BriefStatistics stats={result.stats} />;
  return (
    <div className={styles.failure}>
      <Message tone="error">
        <p>
          <strong>Failed to load website statistics</strong>
        </p>
        <p>{result.message}</p>
      </Message>
      <Button look="plain" size="small" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
