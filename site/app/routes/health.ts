import { setTimeout as delay } from "node:timers/promises";
import { siteContext } from "../server/site-context.server.ts";
import { logFailedRead } from "../supabase/log-failed-read.ts";
import type { Route } from "./+types/health";

const LONGEST_WAIT_MS = 1500;
const SILENT = { error: { message: `no answer in ${LONGEST_WAIT_MS} ms` } };

/** Reports to a monitor, and to the portal, whether the site can read from the backend and whether the disk is `low` or `full`. */
export async function loader({ context }: Route.LoaderArgs) {
  const { supabase, diskSpace, log } = context.get(siteContext);
  const query = supabase.from("course_dates").select("id").limit(1);
  // The monitor must get an answer even if the connection to the backend was lost silently.
  const { error } = await Promise.race([query, delay(LONGEST_WAIT_MS, SILENT, { ref: false })]);
  if (error) logFailedRead(log, error, "health check failed");
  const disk = diskSpace?.() ?? "ok";
  const body = { status: error ? "unavailable" : "ok", ...(disk === "ok" ? {} : { disk }) };
  return Response.json(body, { status: error ? 503 : 200, headers: { "Cache-Control": "no-store" } });
}
