import { categories } from "content/categories.ts";
import { courseByName, courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { reviews } from "content/reviews.ts";
import { team } from "content/team.ts";
import type { CategoryId } from "content/types.ts";
import { availabilityOf, toCourseDate, toCourseDates, type CourseDateRow } from "../../course-dates/course-date.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { londonWeekday } from "../../time/london-date.ts";
import { enquiryContext, siteContext } from "../../server/site-context.server.ts";
import { courseList, organisation, webSite } from "../../seo/structured-data.ts";
import type { Route } from "./+types/home";
import { LaterStyles } from "../../document/later-styles.tsx";
import { useConstantContent } from "../../document/server-content.ts";
import { EmbeddedForm } from "../../frame/embedded-form.tsx";
import { EnquiryForm } from "../../frame/enquiry-form.tsx";
import { daylight } from "./hero/daylight.ts";
import type { HomeData } from "./home-data.ts";
import { HomePage } from "./home-page.tsx";
import { MOST_ROWS, UpcomingDates } from "./dates/upcoming-dates.tsx";
import { AboutSection } from "./sections/about-section.tsx";
import { Accreditations } from "./sections/accreditations.tsx";
import { People } from "./sections/people.tsx";
import { ReviewCards } from "./sections/review-cards.tsx";
import { daysLeft } from "../../time/days-left.ts";
import { londonToday } from "../../time/london-time.ts";
import { addWorkingDays } from "../../time/working-days.ts";

const CUTOFF_WORKING_DAYS = 5;
// The middle of Cumbria; its daylight is used for a provider without coordinates.
const CUMBRIA = { latitude: 54.55, longitude: -3 };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { comingDates, siteUrl } = context.get(siteContext);
  const now = Temporal.Now.instant();
  const cutoff = addWorkingDays(now, CUTOFF_WORKING_DAYS).epochMilliseconds;
  // The dates before the cutoff are not listed, but a course may start on one.
  const rows = await comingDates();
  const listed = rows.filter((row) => isListed(row) && Date.parse(row.course_date) >= cutoff);

  return {
    siteUrl,
    upcoming: toCourseDates(listed.slice(0, MOST_ROWS)),
    enquiryFormUrl: context.get(enquiryContext).formUrl,
    island: {
      now: now.epochMilliseconds,
      light: daylight(new Date(now.epochMilliseconds), provider.geo ?? CUMBRIA),
      category: chosenCategory(new URL(request.url).searchParams.get("category")),
      nextStarts: nextStarts(rows, now.epochMilliseconds),
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
    graph: [organisation(siteUrl), webSite(siteUrl), courseList(siteUrl, courses)],
  });
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const constant = useConstantContent();
  const { upcoming, enquiryFormUrl, island } = loaderData;
  const parts = {
    dates: {
      children: (
        <>
          <UpcomingDates dates={upcoming} now={island.now} />
          <LaterStyles />
        </>
      ),
    },
    reviews: constant(<ReviewCards />),
    about: constant(<AboutSection />),
    team: constant(<People />),
    accreditations: constant(<Accreditations />),
    enquiryForm: constant(enquiryFormUrl === undefined ? <EnquiryForm courses={courses} /> : <EmbeddedForm url={enquiryFormUrl} />),
  };
  return <HomePage data={island} parts={parts} />;
}

function isListed(row: CourseDateRow): boolean {
  const availability = availabilityOf(row);
  return courseByName(row.course_name) !== undefined && (availability === "open" || availability === "full");
}

/** The first date of each course that can be booked. */
function nextStarts(rows: readonly CourseDateRow[], now: number): HomeData["nextStarts"] {
  const bookable = rows.filter((row) => availabilityOf(row) === "open");
  const today = londonToday(now);
  return Object.fromEntries(
    courses.flatMap(({ id, courseName }) => {
      const row = bookable.find(({ course_name }) => course_name === courseName);
      const first = row && toCourseDate(row);
      if (!first) return [];
      return [[id, { instant: first.date.instant, text: londonWeekday(first.date), left: daysLeft(first.firstDay, today) }]];
    }),
  );
}

function chosenCategory(value: string | null): CategoryId {
  return categories.find(({ id }) => id === value)?.id ?? "security";
}
