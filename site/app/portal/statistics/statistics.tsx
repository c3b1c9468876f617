import { useLocation } from "react-router";
import { Button } from "../../ui/button.tsx";
import { areaTitle } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { downloadCsv } from "../lists/csv/csv-file.ts";
import { loadedBy } from "../lists/use-filters.ts";
import { MostViewedPages, pageRow, Part, Sums } from "./brief-statistics.tsx";
import { periodName, statisticsCsv } from "./statistics-csv.ts";
import styles from "./statistics.module.css";
import type { WebsiteStats } from "./stats.ts";
import { VisitsChart } from "./visits-chart.tsx";
import { WebsiteStatistics } from "./website-statistics.tsx";

export const shouldRevalidate = loadedBy();

/** The website statistics with all details. */
export default function Statistics() {
  return (
    <PageFrame title={areaTitle(useLocation().pathname)}>
      <WebsiteStatistics Full={FullStatistics} />
    </PageFrame>
  );
}

/** All statistics of a period, each figure with its definition. */
function FullStatistics({ stats }: { stats: WebsiteStats }) {
  const { days, funnel, referrers, devices } = stats.details;
  const courses = funnel.filter(({ views, enquiries, places }) => views + enquiries + places > 0);
  return (
    <div className={styles.result}>
      <Sums stats={stats} />
      <VisitsChart days={days} />
      <div className={styles.parts}>
        <MostViewedPages stats={stats} />
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
          rows={referrers.map(({ name, views }) => ({ key: name, name, counts: [views] }))}
          bars
        />
        <Part
          title="Devices"
          definition="Views by the kind of device."
          none="No page views."
          headings={["Device", "Views"]}
          rows={devices.map(({ name, views }) => ({ key: name, name, counts: [views] }))}
          bars
        />
      </div>
      <Button look="plain" size="small" onClick={() => downloadCsv(`website-statistics ${periodName(days)}`, statisticsCsv(stats))}>
        Export CSV
      </Button>
    </div>
  );
}
