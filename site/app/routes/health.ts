import { siteContext } from "../server/site-context.server.ts";
import type { Route } from "./+types/health";

/** Says to a watcher whether the site and the backend behind it answer. */
export async function loader({ context }: Route.LoaderArgs) {
  const { health, log } = context.get(siteContext);
  const answers = await health().catch((error: unknown) => {
    log.error({ err: error }, "health check failed");
    return false;
  });
  return Response.json(
    { status: answers ? "ok" : "unavailable" },
    { status: answers ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
