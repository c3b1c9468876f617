/** One row of the table of layers: the files of a layer and the layers it may import. */
export interface Layer {
  name: string;
  /** Files, folders with everything below them, `folder/*`: a folder without its subfolders, or `folder/+`: each subfolder.
   * The longest path that fits wins. */
  paths: readonly string[];
  /** Names of the layers below. */
  imports: readonly string[];
  /** False if packages and built-in modules are refused too. */
  packages?: false;
  /** True if the paths may not import each other. */
  separate?: true;
  /** True for support code that only tests and tools import. */
  tests?: true;
}

const SITE_BASE = ["Supabase client", "ui", "time", "content", "database types", "SQLSTATEs"];
const SITE_PARTS = ["site server", "frame", "visits", "document", "seo", "posts", "pictures", "course dates", ...SITE_BASE];
const PORTAL_PARTS = [
  "portal bookable dates",
  "portal records",
  "portal history",
  "portal session",
  "portal lists",
  "portal forms",
  "portal frame",
  "portal live",
  "portal time",
  ...SITE_BASE,
];

const API_PARTS = ["anonymous callers", "rate limits", "database", "backend base", "request bodies", "client network", "SQLSTATEs"];

/**
 * The layers, from top to bottom. Every source file belongs to one of them; `scripts/check-layers.ts` checks every import.
 * A test may also import test support and the layers above its own.
 */
export const LAYERS: readonly Layer[] = [
  {
    name: "tools",
    paths: ["scripts", "bench", "torture", "*"],
    imports: [
      "journeys",
      "policy tests",
      "test support",
      "server",
      "time",
      "Open Graph images",
      "backend",
      "REST",
      "REST schema",
      "APIs",
      "anonymous callers",
      "database",
      "backend base",
      "database types",
    ],
    tests: true,
  },
  { name: "journeys", paths: ["e2e"], imports: ["test support", "portal frame", "posts", "time", "content"], tests: true },
  {
    name: "policy tests",
    paths: ["site/test"],
    imports: [
      "test support",
      "site server",
      "server",
      "portal areas",
      ...PORTAL_PARTS,
      "edge functions",
      "backend",
      "database",
      "backend base",
    ],
    tests: true,
  },
  {
    name: "test support",
    paths: ["backend/test"],
    imports: ["backend", "REST", "APIs", "anonymous callers", "database", "backend base"],
    tests: true,
  },
  { name: "operations", paths: ["operations"], imports: ["server", "time", "content", "backend", "backup", "HTML", "SQLSTATEs"] },
  {
    name: "server",
    paths: ["server"],
    imports: ["Open Graph images", "site server", "Supabase client", "content", "backend", "image workers", "HTML"],
  },

  { name: "site", paths: ["site/app/*", "site/*"], imports: ["portal frame", "site server", "frame", "visits", "document", "content"] },
  {
    name: "portal",
    paths: ["site/app/portal/*"],
    imports: [
      "portal areas",
      "portal bookable dates",
      "portal session",
      "portal lists",
      "portal frame",
      "portal live",
      "Supabase client",
      "ui",
      "site server",
    ],
  },
  {
    name: "portal areas",
    paths: ["site/app/portal/+"],
    imports: [...PORTAL_PARTS, "posts", "pictures", "letters"],
    separate: true,
  },
  {
    name: "portal records",
    paths: ["site/app/portal/records"],
    imports: ["portal history", "portal lists", "portal forms", "portal frame", "portal live", "portal time", ...SITE_BASE],
  },
  {
    name: "portal history",
    paths: ["site/app/portal/history"],
    imports: ["portal lists", "portal frame", "portal time", "posts", ...SITE_BASE],
  },
  { name: "portal bookable dates", paths: ["site/app/portal/bookable-dates"], imports: ["portal lists", "portal frame", ...SITE_BASE] },
  { name: "portal session", paths: ["site/app/portal/session"], imports: ["portal forms", "portal frame", ...SITE_BASE] },
  { name: "portal lists", paths: ["site/app/portal/lists"], imports: ["portal forms", "portal frame", ...SITE_BASE] },
  { name: "portal forms", paths: ["site/app/portal/forms"], imports: ["portal frame", ...SITE_BASE] },
  { name: "portal frame", paths: ["site/app/portal/frame", "site/app/portal/areas.ts"], imports: ["portal live", ...SITE_BASE] },
  { name: "portal live", paths: ["site/app/portal/live"], imports: ["Supabase client"] },
  { name: "portal time", paths: ["site/app/portal/time"], imports: ["time", "content", "database types"] },
  {
    name: "pages",
    paths: ["site/app/routes/*", "site/app/routes/+"],
    imports: [...SITE_PARTS, "Open Graph images"],
    separate: true,
  },
  { name: "site server", paths: ["site/app/server"], imports: ["Open Graph images", "document", ...SITE_BASE] },
  { name: "frame", paths: ["site/app/frame"], imports: ["visits", "document", ...SITE_BASE] },
  { name: "Open Graph images", paths: ["site/app/og-image"], imports: ["seo", "posts", "pictures", "course dates", ...SITE_BASE] },
  { name: "document", paths: ["site/app/document"], imports: ["visits", "content"] },
  { name: "visits", paths: ["site/app/visits"], imports: ["ui"] },
  { name: "seo", paths: ["site/app/seo"], imports: ["posts", "course dates", "content"] },
  { name: "posts", paths: ["site/app/posts"], imports: ["pictures", "time", "content", "database types"] },
  { name: "letters", paths: ["site/app/letters"], imports: ["course dates", "time", "content", "database types"] },
  { name: "course dates", paths: ["site/app/course-dates"], imports: ["time", "content", "database types"] },
  { name: "pictures", paths: ["site/app/pictures"], imports: ["content"] },
  { name: "time", paths: ["site/app/time"], imports: ["content", "database types"] },
  { name: "Supabase client", paths: ["site/app/supabase"], imports: ["database types", "SQLSTATEs"] },
  { name: "ui", paths: ["site/app/ui"], imports: [] },

  {
    name: "edge functions",
    paths: ["supabase/functions/+"],
    imports: ["function parts", "letters", "course dates", "time", "content", "database types", "request bodies", "HTML", "SQLSTATEs"],
    separate: true,
  },
  {
    name: "function parts",
    paths: ["supabase/functions/_shared"],
    imports: ["request bodies", "client network", "content", "database types"],
  },

  {
    name: "backend",
    paths: ["backend/src/app.ts", "backend/src/index.ts"],
    imports: ["backup", "REST", "APIs", ...API_PARTS],
  },
  { name: "backup", paths: ["backend/src/backup"], imports: ["APIs", ...API_PARTS] },
  {
    name: "APIs",
    paths: ["backend/src/auth", "backend/src/storage", "backend/src/functions", "backend/src/realtime"],
    imports: ["image workers", "HTML", ...API_PARTS],
    separate: true,
  },
  {
    name: "REST",
    paths: ["backend/src/rest/*"],
    imports: ["REST response", "REST query", "REST plan", "REST schema", "REST request", "REST errors", ...API_PARTS],
  },
  {
    name: "REST response",
    paths: ["backend/src/rest/response"],
    imports: ["REST plan", "REST schema", "REST request", "REST errors", ...API_PARTS],
  },
  {
    name: "REST query",
    paths: ["backend/src/rest/query"],
    imports: ["REST plan", "REST schema", "REST request", "REST errors", "database"],
  },
  {
    name: "REST plan",
    paths: ["backend/src/rest/plan"],
    imports: ["REST schema", "REST request", "REST errors", "backend base", "SQLSTATEs"],
  },
  { name: "REST schema", paths: ["backend/src/rest/schema"], imports: ["REST errors", "database"] },
  { name: "REST request", paths: ["backend/src/rest/request"], imports: ["REST errors", "backend base", "request bodies", "SQLSTATEs"] },
  { name: "REST errors", paths: ["backend/src/rest/errors.ts"], imports: ["backend base"] },
  { name: "image workers", paths: ["backend/src/images"], imports: [] },
  { name: "anonymous callers", paths: ["backend/src/anonymous"], imports: ["database", "backend base", "SQLSTATEs"] },
  { name: "rate limits", paths: ["backend/src/rate-limits.ts"], imports: ["database", "backend base"] },
  { name: "database", paths: ["backend/src/db"], imports: ["backend base", "SQLSTATEs"] },
  { name: "SQLSTATEs", paths: ["backend/src/sqlstates.ts"], imports: [], packages: false },
  { name: "HTML", paths: ["backend/src/escape-html.ts"], imports: [], packages: false },
  { name: "client network", paths: ["backend/src/client-network.ts"], imports: [] },
  { name: "request bodies", paths: ["backend/src/body", "backend/src/client-gone.ts"], imports: [] },
  { name: "backend base", paths: ["backend/src/*", "backend/src/config", "backend/src/jwt"], imports: [] },

  { name: "database types", paths: ["supabase/database.types.ts"], imports: [] },
  { name: "content", paths: ["content"], imports: [], packages: false },
];
