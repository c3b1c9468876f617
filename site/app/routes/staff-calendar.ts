import { z } from "zod";
import { staffCalendar } from "../course-dates/course-date-calendar.ts";
import { siteContext } from "../server/site-context.server.ts";
import { isUuid } from "../supabase/is-uuid.ts";
import { logFailedRead } from "../supabase/log-failed-read.ts";
import type { Route } from "./+types/staff-calendar";

const FILE = /^([^.]+)\.ics$/;
const rowsSchema = z.array(
  z.object({
    id: z.string(),
    course_name: z.string(),
    course_date: z.string(),
    end_date: z.string().nullable(),
    status: z.string(),
    capacity: z.number(),
    places_taken: z.number(),
    updated_at: z.string(),
  }),
);

/** The calendar of a member of staff, for a calendar program that has only the secret address. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const key = FILE.exec(params.file)?.[1];
  if (key === undefined || !isUuid(key)) return problem(404, "There is no calendar at this address.");
  const { supabase, siteUrl, log } = context.get(siteContext);
  const { data, error } = await supabase.rpc("calendar_feed", { key });
  if (error) {
    logFailedRead(log, error, "calendar of staff could not be read");
    return problem(503, "The calendar cannot be read at the moment.");
  }
  if (data === null) return problem(404, "There is no calendar at this address. Make a new one in the portal, under My profile.");
  return new Response(staffCalendar(rowsSchema.parse(data), siteUrl), {
    headers: { "Content-Type": "text/calendar; charset=utf-8" },
  });
}

function problem(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
