import { provider } from "content/provider.ts";
import { courseDateCalendar } from "../../course-dates/course-date-calendar.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { isUuid } from "../../supabase/is-uuid.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/calendar";

const FILE = /^([^.]+)\.ics$/;

/** Responds with the calendar file of a course date. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const id = FILE.exec(params.file)?.[1];
  if (id === undefined || !isUuid(id)) return notFound();
  const { supabase, siteUrl, log } = context.get(siteContext);
  const { data: row, error } = await supabase.from("course_dates").select("*").eq("id", id).maybeSingle();
  if (error) {
    logFailedRead(log, error, "course date could not be read");
    return problem(503, "The calendar file could not be made just now.");
  }
  const file = row && courseDateCalendar(row, siteUrl);
  if (!file) return notFound();
  return new Response(file.text, {
    headers: { "Content-Type": "text/calendar; charset=utf-8", "Content-Disposition": `attachment; filename="${file.name}"` },
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
