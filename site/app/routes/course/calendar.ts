import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { isUuid } from "../../supabase/is-uuid.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/calendar";
import { calendarFile, teachingDays } from "./calendar-event.ts";

const FILE = /^([^.]+)\.ics$/;

const STATUS: Record<string, "TENTATIVE" | "CANCELLED"> = { postponed: "TENTATIVE", cancelled: "CANCELLED" };
const TITLE_PREFIX: Record<string, string> = { postponed: "Postponed: ", cancelled: "Cancelled: " };

/** One course date as a calendar file. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const id = FILE.exec(params.file)?.[1];
  if (id === undefined || !isUuid(id)) return notFound();
  const { supabase, siteUrl, log } = context.get(siteContext);
  const { data: row, error } = await supabase.from("course_dates").select("*").eq("id", id).maybeSingle();
  if (error) {
    logFailedRead(log, error, "course date could not be read");
    return problem(503, "The calendar file could not be made just now.");
  }
  const course = row && courseByName(row.course_name);
  if (!course) return notFound();

  const { title, location } = course;
  const { address, name, openingHours } = provider;
  const file = calendarFile({
    uid: `${row.id}@${new URL(siteUrl).host}`,
    title: `${TITLE_PREFIX[row.status] ?? ""}${title}, ${name}`,
    status: STATUS[row.status] ?? "CONFIRMED",
    days: teachingDays(row, course, openingHours.closes),
    changed: row.updated_at,
    location: `${location}, ${address.street}, ${address.locality} ${address.postalCode}`,
    url: siteUrl + course.link,
  });
  return new Response(file, {
    headers: { "Content-Type": "text/calendar; charset=utf-8", "Content-Disposition": `attachment; filename="${course.id}.ics"` },
  });
}

function notFound(): Response {
  return problem(404, "This course date no longer exists.");
}

/** A text that the browser shows instead of the file. */
function problem(status: number, what: string): Response {
  const { phone, openingHours } = provider;
  return new Response(`${what} Please call us on ${phone}, ${openingHours.text}.\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
