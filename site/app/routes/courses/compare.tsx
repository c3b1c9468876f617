import { courseById } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { nextStart, toCourseDates } from "../../course-dates/course-date.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Route } from "./+types/compare";
import { Comparison } from "./comparison.tsx";
import { listedCourse } from "./listed-course.ts";
import { SuggestedComparisons } from "./suggested-comparisons.tsx";
import styles from "./compare.module.css";

const MOST = 3;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { comingDates, siteUrl } = context.get(siteContext);
  const named = new Set(new URL(request.url).searchParams.getAll("course"));
  const chosen = [...named].map((id) => courseById(id)).filter((course) => course !== undefined);
  const courses = chosen.slice(0, MOST);
  const dates = toCourseDates(await comingDates(courses.map(({ courseName }) => courseName)));
  const next = (link: string) => nextStart(dates.filter(({ course }) => course.link === link));
  return { siteUrl, courses: courses.map((course) => listedCourse(course, next(course.link))), left: chosen.length - courses.length };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return [
    ...pageMeta({
      type: "page",
      title: `Compare courses | ${provider.name}`,
      description: "Prices, lengths, next dates and requirements of up to three courses, side by side.",
      path: href("/courses/compare"),
      siteUrl: loaderData.siteUrl,
    }),
    { name: "robots", content: "noindex" },
  ];
}

/** Up to three courses side by side; the address names them, so that it can be shared. */
export default function Compare({ loaderData: { courses, left } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <PageHead title="Compare courses" up={{ href: href("/courses"), label: "Courses" }} />
      {courses.length === 0 ? (
        <div className={styles.none}>
          <p>Choose two or three courses in the list, then press “Compare the chosen courses”.</p>
          <ButtonLink href={href("/courses")}>Choose courses</ButtonLink>
          <h2>Or start with one of these</h2>
          <SuggestedComparisons />
        </div>
      ) : (
        <>
          {left > 0 && <p className={styles.note}>These are the first three of the courses you chose.</p>}
          <Comparison courses={courses} />
          <p className={styles.back}>
            <a href={href("/courses")}>Choose other courses</a>
          </p>
        </>
      )}
    </main>
  );
}
