import { categories } from "content/categories.ts";
import { courses } from "content/courses/index.ts";
import { daysOfWeek } from "content/date-filters.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { toCourseDates } from "../../course-dates/course-date.ts";
import { dateFilter, monthOptions, passes } from "../../course-dates/date-filter.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { breadcrumb, courseList } from "../../seo/structured-data.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { FilterLinks } from "../../ui/list-links/filter-links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { queryHref } from "../../ui/list-links/query-href.ts";
import type { Route } from "./+types/courses";
import { CourseList } from "./course-list.tsx";
import { listedCourse } from "./listed-course.ts";
import styles from "./courses.module.css";

const CATEGORIES = categories.filter(({ id }) => courses.some(({ category }) => category === id));
const DAYS = daysOfWeek.map((days) => ({ value: days, label: days === "weekdays" ? "Weekdays" : "Weekends" }));

export async function loader({ request, context }: Route.LoaderArgs) {
  const { comingDates, siteUrl } = context.get(siteContext);
  const search = new URL(request.url).searchParams;
  const dates = toCourseDates(await comingDates()).filter(({ availability }) => availability === "open");
  const filter = dateFilter(search);
  const category = CATEGORIES.find(({ id }) => id === search.get("category"))?.id;
  const byDate = filter.month !== undefined || filter.days !== undefined;
  const listed = courses
    .filter((course) => category === undefined || course.category === category)
    .map((course) => {
      const next = dates.find((date) => date.course.link === course.link && passes(date, filter));
      return listedCourse(course, next);
    })
    .filter(({ next }) => !byDate || next !== undefined);
  return { siteUrl, listed, filter: { ...filter, category }, monthsWithDates: monthOptions(dates) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { siteUrl } = loaderData;
  return pageMeta({
    type: "page",
    title: `Courses: prices, lengths and dates | ${provider.name}`,
    description: `Every course of ${provider.name} in ${provider.address.locality} with its price, length, next date and requirements, to compare.`,
    path: href("/courses"),
    siteUrl,
    graph: [courseList(siteUrl, courses), breadcrumb(siteUrl, [{ name: "Courses", path: href("/courses") }])],
  });
}

/** All courses in one list, with filters and a choice of courses to compare. */
export default function Courses({ loaderData: { listed, filter, monthsWithDates } }: Route.ComponentProps) {
  const to = (change: Record<string, string | undefined>): string => queryHref(href("/courses"), { ...filter, ...change });
  return (
    <main id="main" className="wrap">
      <PageHead
        title="Courses"
        lead="Every course with its price, length and next date. Choose up to three to see them side by side."
        up={{ href: href("/"), label: "Home" }}
      />
      <div className={styles.filters}>
        <FilterLinks
          label="Subject"
          all="All subjects"
          options={CATEGORIES.map(({ id, label }) => ({ value: id, label }))}
          chosen={filter.category}
          to={(category) => to({ category })}
        />
        <FilterLinks label="Starts in" all="Any month" options={monthsWithDates} chosen={filter.month} to={(month) => to({ month })} />
        <FilterLinks label="Runs on" all="Any day" options={DAYS} chosen={filter.days} to={(days) => to({ days })} />
      </div>
      {listed.length === 0 ? (
        <div className={styles.none}>
          <p>No course has a date that fits.</p>
          <p>
            <a href={href("/courses")}>Show all courses</a>, or call us on <a href={provider.phoneHref}>{provider.phone}</a>: we set new
            dates when people ask for them.
          </p>
        </div>
      ) : (
        <CourseList courses={listed} />
      )}
    </main>
  );
}
