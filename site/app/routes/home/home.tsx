import { categories } from "content/categories.ts";
import { comingSoon } from "content/coming-soon.ts";
import { courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { reviews } from "content/reviews.ts";
import { team } from "content/team.ts";
import type { CategoryId, Course } from "content/types.ts";
import { courseFacts, toCourseDate, type CourseDate } from "../../course-dates/course-date.ts";
import { pounds } from "../../course-dates/money.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { enquiryContext, siteContext } from "../../server/site-context.server.ts";
import { courseList, organisation } from "../../seo/structured-data.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/home";
import { useConstantContent } from "../../document/server-content.ts";
import { EnquiryForm } from "../../frame/enquiry-form.tsx";
import { daylight } from "./hero/daylight.ts";
import type { CourseCardFacts, HomeData } from "./home-data.ts";
import { HomePage } from "./home-page.tsx";
import { UpcomingDates } from "./dates/upcoming-dates.tsx";
import { AboutSection } from "./sections/about-section.tsx";
import { Accreditations } from "./sections/accreditations.tsx";
import { People } from "./sections/people.tsx";
import { ReviewCards } from "./sections/review-cards.tsx";
import { addWorkingDays } from "../../time/working-days.ts";

const CUTOFF_WORKING_DAYS = 5;
// For the daylight of a provider without coordinates: the middle of Cumbria.
const CUMBRIA = { latitude: 54.55, longitude: -3 };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  const now = Temporal.Now.instant();
  const dates = await supabase
    .from("course_dates")
    .select("*")
    .gte("course_date", addWorkingDays(now, CUTOFF_WORKING_DAYS).toString())
    .order("course_date", { ascending: true });
  if (dates.error) logFailedRead(log, dates.error, "course dates could not be read");
  const upcoming = (dates.data ?? [])
    .map(toCourseDate)
    .filter((date) => date !== undefined)
    .filter(({ availability }) => availability === "open" || availability === "full");

  return {
    siteUrl,
    upcoming,
    island: {
      enquiryFormUrl: context.get(enquiryContext).formUrl ?? null,
      now: now.epochMilliseconds,
      light: daylight(new Date(now.epochMilliseconds), provider.geo ?? CUMBRIA),
      category: chosenCategory(new URL(request.url).searchParams.get("category")),
      courses: courses.map((course) => toCard(course, upcoming)),
      comingSoon: comingSoon.map(({ title, duration, price }) => ({ title, duration, price: pounds(price) })),
      slides: { reviews: reviews.length, team: team.length },
    } satisfies HomeData,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { siteUrl } = loaderData;
  const { name, address } = provider;
  return pageMeta({
    type: "homepage",
    title: `${name}: security and first-aid training in ${address.region}`,
    description: `Courses for security work, first aid and safety at work in ${address.locality}, ${address.region}: prices, what you need first, and the next dates.`,
    path: "/",
    siteUrl,
    graph: [organisation(siteUrl), courseList(siteUrl, courses)],
  });
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const constant = useConstantContent();
  const { upcoming, island } = loaderData;
  const parts = {
    dates: { children: <UpcomingDates dates={upcoming} now={island.now} /> },
    reviews: constant(<ReviewCards />),
    about: constant(<AboutSection />),
    team: constant(<People />),
    accreditations: constant(<Accreditations />),
    enquiryForm: constant(<EnquiryForm courses={courses} />),
  };
  return <HomePage data={island} parts={parts} />;
}

function toCard(course: Course, upcoming: readonly CourseDate[]): CourseCardFacts {
  const { id, category, description, image } = course;
  const { location: _, ...facts } = courseFacts(course);
  const next = upcoming.find(({ course: { link } }) => link === facts.link)?.date;
  const start = next ? { instant: next.instant, text: `${next.weekday} ${next.day} ${next.month} ${next.year}` } : null;
  return { ...facts, id, category, description, image, next: start };
}

function chosenCategory(value: string | null): CategoryId {
  return categories.find(({ id }) => id === value)?.id ?? "security";
}
