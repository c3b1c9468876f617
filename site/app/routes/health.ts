import type { PageHandle } from "../document/page-handle.ts";
import { siteContext } from "../server/site-context.server.ts";
import type { Route } from "./+types/health";

export const handle: PageHandle = { essential: true };

/** Tells a monitor whether the site can read from the backend. */
export async function loader({ context }: Route.LoaderArgs) {
  const { supabase, log } = context.get(siteContext);
  const { error } = await supabase.from("course_dates").select("id").limit(1);
  if (error) log.error({ err: error }, "health check failed");
  return Response.json({ status: error ? "unavailable" : "ok" }, { status: error ? 503 : 200, headers: { "Cache-Control": "no-store" } });
}
