import { diskSpace, IN_PROCESS, type Connection, type DiskSpace, type Job } from "backend";
import { samples } from "content/samples.ts";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { Site, SiteOptions } from "site/app/server/site.server.ts";
import type { ReadConnection } from "site/app/supabase/supabase.server.ts";
import { backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { builtFrontend, developmentFrontend } from "./frontend.ts";
import type { FindCached, Handler } from "./http/listen.ts";
import { diskSpaceJob } from "./machine/disk-space.ts";
import { idleMemoryJob } from "./machine/idle-memory.ts";
import { createOgImages } from "./og-images/og-images.ts";
import { runProcess } from "./process.ts";
import { remoteBackend, type SiteBackend } from "./remote/remote-backend.ts";
import { siteEnvironment } from "./environment/site-environment.ts";
import { startScheduler } from "./scheduler.ts";
import { startBackend } from "./start-backend.ts";

/** Pages show the current date, and writes to a remote backend may not be announced. */
const PAGE_LIFETIME_MS = { embedded: 60_000, remote: 5_000 };

/** The interval in which due mail is sent. */
const MAIL_MS = 60_000;

const frontend = process.argv.includes("--dev") ? await developmentFrontend() : await builtFrontend();

await runProcess(
  async ({ listener, url: siteUrl, metrics, log }) => {
    const { ENQUIRY_FORM_URL: enquiryFormUrl } = readEnvironment(siteEnvironment, process.env);
    await using opened = new AsyncDisposableStack();
    const { backend, supabase, pageLifetimeMs, diskSpace: readDiskSpace } = await openBackend(siteUrl, listener.port, log);
    opened.defer(() => backend.close());
    const ogImages = createOgImages();
    opened.defer(() => ogImages.close());
    const site = await frontend.createSite({
      siteUrl,
      supabase,
      enquiryFormUrl,
      renderOgImage: ogImages.render,
      pageLifetimeMs,
      diskSpace: readDiskSpace,
      log,
    });
    metrics?.readFrom(backend, site.routeOf);
    await backend.onChange((table) => site.dropPages(table));
    // A process that receives the announcements of others late, such as on a busy machine, waits for them (decisions 048 and 050).
    const findCached: FindCached = (incoming) => (backend.isCaughtUp?.() === false ? undefined : site.findCached(incoming));
    listener.serve(composed(site, backend, siteUrl), findCached, backend.webSockets, backend.checks);
    if (samples.length > 0 && siteUrl.startsWith("https:"))
      log.warn(`The site shows samples (${samples.join(", ")}): replace them in content/.`);
    const mail: Job = { name: "mail", firstRunMs: 0, intervalMs: MAIL_MS, everyProcess: true, run: site.mails.send };
    const jobs = [...backend.jobs, mail, idleMemoryJob(), ...(readDiskSpace ? [diskSpaceJob(readDiskSpace, log)] : [])];
    const scheduler = startScheduler(jobs, backend.claimJob, log);
    const running = opened.move();
    return async () => {
      await Promise.all([scheduler.stop(), site.mails.stop()]);
      await frontend.close();
      await running.disposeAsync();
    };
  },
  frontend.before ? { before: frontend.before } : {},
);

/** The backend of this process, or the one that SUPABASE_URL names. */
async function openBackend(
  siteUrl: string,
  port: number,
  log: Logger,
): Promise<Pick<SiteOptions, "supabase" | "pageLifetimeMs"> & { backend: SiteBackend; diskSpace?: () => DiskSpace }> {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: key } = readEnvironment(siteEnvironment, process.env);
  if (url !== undefined && key !== undefined) {
    const remote = remoteBackend(url, key);
    // A remote backend does not report which tables it read.
    const read = (request: Request, { clientAddress, relations }: ReadConnection): Promise<Response> => {
      relations.add("*");
      return remote.fetch(request, clientAddress === undefined ? undefined : { clientAddress });
    };
    return {
      backend: remote,
      supabase: { url: siteUrl, publishableKey: key, fetch: read },
      pageLifetimeMs: PAGE_LIFETIME_MS.remote,
    };
  }
  const environment = readEnvironment(backendEnvironment, process.env);
  const backend = await startBackend(environment, { url: siteUrl, port, log });
  const read = (request: Request, { clientAddress = IN_PROCESS.clientAddress, relations }: ReadConnection): Promise<Response> =>
    backend.fetch(request, { clientAddress, inProcess: true, relations });
  return {
    backend,
    supabase: { url: siteUrl, publishableKey: backend.publishableKey, fetch: read },
    pageLifetimeMs: PAGE_LIFETIME_MS.embedded,
    diskSpace: () => diskSpace(environment.DATA_DIR),
  };
}

/** Sends a request to the backend, to a file of the frontend, or to the pages. */
function composed(site: Site, backend: SiteBackend, siteUrl: string): Handler {
  const secure = siteUrl.startsWith("https:");
  const app = new Hono<{ Bindings: Connection }>();
  for (const api of ["auth", "rest", "storage", "functions", "realtime", "operations"]) {
    app.all(`/${api}/v1/*`, (context) => backend.fetch(context.req.raw, context.env));
  }
  // Only paths with an extension are files; pages must not wait for the disk.
  app.get("/:path{.+\\.[a-z0-9]+}", frontend.files);
  app.all("*", async (context) => {
    if (backend.isCaughtUp?.() === false) await backend.catchUp?.();
    return site.fetch(context.req.raw, context.env);
  });

  return async (request, connection) => {
    // Behind a proxy that terminates TLS the transport is http; SITE_URL has the scheme that the visitor uses.
    const seen = secure ? new Request(request.url.replace(/^http:/, "https:"), request) : request;
    return app.fetch(seen, connection);
  };
}
