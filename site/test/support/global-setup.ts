import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PreparedDatabase, testLog as log } from "backend/test/database.ts";
import { closeToCopy, packImage } from "backend/test/pglite-images.ts";
import { createPostgresDatabase } from "backend/test/postgres/databases.ts";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../../backend/src/config/config.ts";
import type { Database } from "../../../backend/src/db/database.ts";
import { migrate } from "../../../backend/src/db/migrate/migrate.ts";
import { clusterOf } from "../../../backend/src/db/pglite/data-directory.ts";
import { openPglite } from "../../../backend/src/db/pglite/pglite.ts";
import { openPostgres } from "../../../backend/src/db/postgres/postgres.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";

/** Names of the template databases with the project's migrations, with and without the seed. */
const [SEEDED, EMPTY] = ["project_seeded", "project"];

/** Migrates a database once per run and for each driver; test projects and journeys start from a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { pgliteImages, postgres } = project.getProvidedContext();
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-project-"));
  const prepared = { image: join(directory, "project.tar"), files: join(directory, "database"), template: EMPTY };
  await Promise.all([makeImage(pgliteImages.platformFiles, prepared), postgres && makeTemplate(postgres)]);
  project.provide("projectDatabase", prepared);
  project.provide("seededDatabase", { template: SEEDED });
  project.provide("projectUploads", join(directory, "uploads"));
  return () => rm(directory, { recursive: true, force: true });
}

async function makeImage(platformFiles: string, { files, image }: PreparedDatabase): Promise<void> {
  await cp(platformFiles, files, { recursive: true });
  const database = await openPglite({ dataDir: files, log });
  await migrateProject(database);
  await removeSeed(database);
  await closeToCopy(database, clusterOf(files));
  await writeFile(image, await packImage(clusterOf(files)));
}

async function makeTemplate({ url, template }: { url: string; template: string }): Promise<void> {
  const seeded = await openPostgres({ url: await createPostgresDatabase(url, SEEDED, template), poolSize: 1, log });
  await migrateProject(seeded);
  await seeded.close();
  const empty = await openPostgres({ url: await createPostgresDatabase(url, EMPTY, SEEDED), poolSize: 1, log });
  await removeSeed(empty);
  await empty.close();
}

async function migrateProject(database: Database): Promise<void> {
  const supabaseDir = fileURLToPath(new URL("../../../supabase", import.meta.url));
  await migrate(database, { supabaseDir, config: await readConfig(supabaseDir, { log }), log });
}

async function removeSeed(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script(
      "truncate public.course_dates, public.bookings, public.blog_posts, public.enquiries, public.waiting_list, public.changes cascade",
    ),
  );
}
