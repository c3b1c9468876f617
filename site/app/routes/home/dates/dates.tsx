import { daysOfWeek } from "content/date-filters.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { toCourseDates } from "../../../course-dates/course-date.ts";
import { dateFilter, monthOptions, passes } from "../../../course-dates/date-filter.ts";
import { pageMeta } from "../../../seo/page-meta.ts";
import { breadcrumb } from "../../../seo/structured-data.ts";
import { siteContext } from "../../../server/site-context.server.ts";
import { FilterLinks } from "../../../ui/list-links/filter-links.tsx";
import { PageHead } from "../../../ui/page-head.tsx";
import { pageOf, Pager } from "../../../ui/list-links/pager.tsx";
import { queryHref } from "../../../ui/list-links/query-href.ts";
import type { Route } from "./+types/dates";
import { DateRows } from "./date-rows.tsx";
import { Venue } from "./upcoming-dates.tsx";
import styles from "./upcoming-dates.module.css";

const ROWS = 20;
const DAYS = daysOfWeek.map((days) => ({ value: days, label: days === "weekdays" ? "Weekdays" : "Weekends" }));

export async function loader({ request, context }: Route.LoaderArgs) {
  const { comingDates, siteUrl } = context.get(siteContext);
  const search = new URL(request.url).searchParams;
  const now = Date.now();
  const dates = toCourseDates(await comingDates()).filter(({ availability }) => availability === "open" || availability === "full");
  const filter = dateFilter(search);
  const fitting = dates.filter((date) => passes(date, filter));
  return { siteUrl, now, filter, monthsWithDates: monthOptions(dates), ...pageOf(fitting, search, ROWS) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { siteUrl, filter, page } = loaderData;
  return pageMeta({
    type: "page",
    title: `All dates | ${provider.name}`,
    description: `Every course date of ${provider.name} with places, price, length and hours, by month and by days of the week.`,
    path: href("/dates"),
    // A filtered list has the address of the whole list.
    page: filter.month || filter.days ? undefined : page,
    siteUrl,
    graph: [breadcrumb(siteUrl, [{ name: "All dates", path: href("/dates") }])],
  });
}

/** All dates on the departure board, by month and days of the week, in pages. */
export default function Dates({ loaderData: { items, page, last, now, filter, monthsWithDates } }: Route.ComponentProps) {
  const to = (change: Record<string, string | undefined>): string => queryHref(href("/dates"), { ...filter, ...change });
  return (
    <main id="main" className="wrap">
      <PageHead title="All dates" up={{ href: href("/"), label: "Home" }} />
      <section aria-labelledby="dates" className={styles.board}>
        <h2 id="dates" className="visually-hidden">
          Dates
        </h2>
        <div className={styles.filters}>
          <FilterLinks label="Month" all="All months" options={monthsWithDates} chosen={filter.month} to={(month) => to({ month })} />
          <FilterLinks label="Days" all="All days" options={DAYS} chosen={filter.days} to={(days) => to({ days })} />
        </div>
        {items.length === 0 ? (
          <div className={styles.none}>
            <p>No date fits.</p>
            <p>
              <a href={href("/dates")}>Show all dates</a>, or call us on <a href={provider.phoneHref}>{provider.phone}</a>: we set new dates
              when people ask for them.
            </p>
          </div>
        ) : (
          <>
            <Venue />
            <DateRows dates={items} now={now} />
          </>
        )}
        <Pager label="Pages of dates" page={page} last={last} to={(number) => to({ page: number })} />
      </section>
    </main>
  );
}
