import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { downloadCsv } from "../lists/csv-file.ts";
import { CountTable, type CountTableProps } from "./count-table.tsx";
import { comparisonText, countText } from "./figures.ts";
import type { WebsiteStats } from "./stats.ts";
import { periodName, statisticsCsv } from "./statistics-csv.ts";
import styles from "./statistics.module.css";
import { VisitsChart } from "./visits-chart.tsx";

/** The statistics of a period, each figure with its definition; `brief` leaves out the details. */
export function StatisticsPanel({ stats, brief }: { stats: WebsiteStats; brief: boolean }) {
  const { periodDays, uniqueVisitors, totalPageViews, mostViewedPages, details } = stats;
  const courses = details.funnel.filter(({ views, enquiries, places }) => views + enquiries + places > 0);
  return (
    <div className={brief ? styles.brief : styles.result}>
      <dl className={styles.sums}>
        <Sum
          name="Unique Visitors"
          value={uniqueVisitors}
          comparison={comparisonText(uniqueVisitors, details.before.uniqueVisitors, periodDays)}
        >
          Browsers that opened a page; each counts once in the period. A browser counts again after its cookies were deleted.
        </Sum>
        <Sum
          name="Total Page Views"
          value={totalPageViews}
          comparison={comparisonText(totalPageViews, details.before.totalPageViews, periodDays)}
        >
          Pages opened by visitors. Robots, signed-in staff and visitors who opted out are not counted
          {details.opt_outs > 0 && ` (${countText(details.opt_outs)} ${details.opt_outs === 1 ? "opt-out" : "opt-outs"})`}. Days are London
          days and include today.
        </Sum>
      </dl>
      {!brief && <VisitsChart days={details.days} />}
      <div className={styles.parts}>
        <Part
          title="Most Viewed Pages"
          definition="The ten pages with the most views."
          none="No course page views recorded yet."
          headings={["Page", "Views"]}
          rows={mostViewedPages.map((page) => pageRow(page, [page.views]))}
          bars
        />
        {!brief && (
          <>
            <Part
              title="From view to booking"
              definition="Views of a course’s page, enquiries about the course and places booked on it in the same period, without cancelled bookings. Individual visitors are not tracked."
              none="No course was viewed, enquired about or booked."
              headings={["Course", "Views", "Enquiries", "Places booked"]}
              rows={courses.map((course) => pageRow(course, [course.views, course.enquiries, course.places]))}
            />
            <Part
              title="Where they came from"
              definition="Views after a link on another website was followed."
              none="No visits from other websites."
              headings={["Website", "Views"]}
              rows={details.referrers.map(({ name, views }) => ({ key: name, name, counts: [views] }))}
              bars
            />
            <Part
              title="Devices"
              definition="Views by the kind of device."
              none="No page views."
              headings={["Device", "Views"]}
              rows={details.devices.map(({ name, views }) => ({ key: name, name, counts: [views] }))}
              bars
            />
          </>
        )}
      </div>
      {!brief && (
        <Button
          look="plain"
          size="small"
          onClick={() => downloadCsv(`website-statistics ${periodName(details.days)}`, statisticsCsv(stats))}
        >
          Export CSV
        </Button>
      )}
    </div>
  );
}

function Sum({ name, value, comparison, children }: { name: string; value: number; comparison: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.figure}>{countText(value)}</dd>
      <dd className={styles.comparison}>{comparison}</dd>
      <dd className={styles.definition}>{children}</dd>
    </div>
  );
}

interface PartProps extends Omit<CountTableProps, "caption"> {
  title: string;
  definition: string;
  /** Shown if there are no rows. */
  none: string;
}

function Part({ title, definition, none, ...table }: PartProps) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <p className={styles.definition}>{definition}</p>
      {table.rows.length === 0 ? <p>{none}</p> : <CountTable caption={title} {...table} />}
    </div>
  );
}

function pageRow({ title, page_path }: { title: string; page_path: string }, counts: number[]) {
  return { key: page_path, name: <a href={page_path}>{title}</a>, counts };
}
