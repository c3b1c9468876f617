import { londonDate, londonShortDay, londonWeekday } from "../../time/london-date.ts";
import { CountTable } from "./count-table.tsx";
import { countText, scaleTop } from "./figures.ts";
import type { StatsDay } from "./stats.ts";
import styles from "./visits-chart.module.css";

const HEIGHT = 100;

/** Views and visitors of each day as a chart and as a table. */
export function VisitsChart({ days: ofPeriod }: { days: readonly StatsDay[] }) {
  const days = ofPeriod.map((day) => ({ ...day, name: londonWeekday(londonDate(day.day)) }));
  const top = scaleTop(Math.max(...days.map((day) => day.views)));
  const edges = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].flatMap((day) => day ?? []);
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span className={styles.views}>Page views</span>
        <span className={styles.visitors}>Visitors of the day</span>
      </figcaption>
      <div className={styles.drawing} aria-hidden="true">
        <ol className={styles.scale}>
          {[top, top / 2, 0].map((mark) => (
            <li key={mark}>{countText(mark)}</li>
          ))}
        </ol>
        <svg viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none">
          <path className={styles.grid} d={`M0 .5H${days.length}M0 ${HEIGHT / 2}H${days.length}`} />
          <path className={styles.viewsArea} d={steps(days.map((day) => day.views / top))} />
          <path className={styles.visitorsArea} d={steps(days.map((day) => day.visitors / top))} />
          {days.map(({ day, name, views, visitors }, index) => (
            <rect key={day} x={index} width="1" height={HEIGHT}>
              <title>{`${name}: ${countText(views)} views, ${countText(visitors)} visitors`}</title>
            </rect>
          ))}
        </svg>
        <ol className={styles.edges}>
          {edges.map(({ day }) => (
            <li key={day}>{londonShortDay(day)}</li>
          ))}
        </ol>
      </div>
      <details>
        <summary>Day by day, as a table</summary>
        <CountTable
          caption="Day by day"
          headings={["Day", "Page views", "Visitors"]}
          rows={days.toReversed().map(({ day, name, views, visitors }) => ({ key: day, name, counts: [views, visitors] }))}
        />
      </details>
    </figure>
  );
}

/** The path of an area with one step for each share of the height. */
function steps(shares: readonly number[]): string {
  return `M0 ${HEIGHT}${shares.map((share, index) => `V${(HEIGHT * (1 - share)).toFixed(2)}H${index + 1}`).join("")}V${HEIGHT}Z`;
}
