import { categories } from "content/categories.ts";
import { courseById } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { data } from "react-router";
import { availabilityOf, categoryColour, toCourseDate, toCourseDates } from "../../course-dates/course-date.ts";
import { courseImage } from "../../og-image/page-og-image.server.ts";
import { dateFilter, rowsOfMonth } from "../../course-dates/date-filter.ts";
import { goalOfCourse, plannedCourses, planRoute } from "../../course-dates/route-plan.ts";
import { OG_IMAGE_SIZE } from "../../seo/og-image.ts";
import { pounds } from "../../course-dates/money.ts";
import { pageMeta, pageTitle } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { breadcrumb, courseNode } from "../../seo/structured-data.ts";
import { londonToday } from "../../time/london-time.ts";
import type { Route } from "./+types/course";
import { pageOf } from "../../ui/list-links/pager.tsx";
import { CoursePage } from "./course-page.tsx";

/** The most dates on a page. */
const PAGE = 20;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const course = courseById(params.courseId);
  if (!course) throw data(null, { status: 404 });
  const { comingDates, siteUrl } = context.get(siteContext);
  const now = Date.now();
  const goal = goalOfCourse(course.id);
  const rows = await comingDates(goal ? plannedCourses(goal, londonToday(now)) : [course.courseName]);
  const upcoming = rows.filter(({ course_name }) => course_name === course.courseName);
  const search = new URL(request.url).searchParams;
  const { month } = dateFilter(search);
  const shown = rowsOfMonth(upcoming, month);
  const { items, ...place } = pageOf(shown.rows, search, PAGE);
  const next = upcoming.find((row) => availabilityOf(row) === "open");
  const category = categories.find(({ id }) => id === course.category);
  return {
    course,
    category: { label: category?.label ?? "", id: course.category, colour: categoryColour(course) },
    dates: toCourseDates(upcoming.slice(0, PAGE)),
    shown: { ...place, items: toCourseDates(items), month, monthsWithDates: shown.monthsWithDates },
    next: next && toCourseDate(next),
    plan: goal ? planRoute(goal, rows, { now, holdsFirstAid: false }) : null,
    siteUrl,
    image: (await courseImage(course))?.address,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { course, dates, siteUrl, image } = loaderData;
  const price = pounds(course.price);
  return pageMeta({
    type: "course",
    title: pageTitle(`${course.title} course: ${price}, ${course.duration}`, `${course.title}: ${price}, ${course.duration}`),
    name: course.title,
    price,
    description: course.description,
    path: course.link,
    siteUrl,
    image:
      image === undefined
        ? undefined
        : {
            address: image,
            alt: `${course.title}: ${price}, ${course.duration}, ${provider.address.locality}`,
            size: OG_IMAGE_SIZE,
          },
    graph: [courseNode(siteUrl, course, dates), breadcrumb(siteUrl, [{ name: course.title, path: course.link }])],
  });
}

export default function CourseRoute({ loaderData }: Route.ComponentProps) {
  return <CoursePage {...loaderData} />;
}
