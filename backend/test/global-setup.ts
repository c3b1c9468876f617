import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import pino from "pino";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import type { Database } from "../src/db/database.ts";
import { migratePlatform } from "../src/db/migrate/migrate.ts";
import { clusterOf } from "../src/db/pglite/data-directory.ts";
import { openPglite } from "../src/db/pglite/pglite.ts";
import { openPostgres } from "../src/db/postgres/postgres.ts";
import { closeToCopy, packImage } from "./pglite-images.ts";
import { createPostgresDatabase } from "./postgres/databases.ts";
import { installPostgres, type PostgresInstallation } from "./postgres/installation.ts";
import { type PostgresServer, startPostgresServer } from "./postgres/server.ts";
import { TEMPORARY_FILES } from "./temporary-files.ts";

// As `--liftoff-only`, which has no effect on a process that runs: optimising WebAssembly takes longer than it saves here.
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);

/** Name of the template database with the platform's migrations. */
const TEMPLATE = "platform";

/** Prepares, once per run and for each driver, the database that every test file starts from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-images-"));
  const [images, server] = await Promise.all([makeImages(directory), makeServer()]);
  project.provide("pgliteImages", images);
  project.provide("postgres", server && { url: server.url("postgres"), template: TEMPLATE, installation: server.installation });
  return async () => {
    await Promise.all([server?.remove(), rm(directory, { recursive: true, force: true })]);
    if (!server) warnOfSkips();
  };
}

async function makeImages(directory: string): Promise<ProvidedContext["pgliteImages"]> {
  const log = pino({ level: "silent" });
  const images = {
    empty: join(directory, "empty.tar"),
    platform: join(directory, "platform.tar"),
    platformFiles: join(directory, "files"),
  };
  const writeImage = async (database: Database, file: string): Promise<void> => {
    const cluster = clusterOf(images.platformFiles);
    await closeToCopy(database, cluster);
    await writeFile(file, await packImage(cluster));
  };
  await writeImage(await openPglite({ dataDir: images.platformFiles, log }), images.empty);
  const platform = await openPglite({ dataDir: images.platformFiles, log });
  await migratePlatform(platform, log);
  await writeImage(platform, images.platform);
  return images;
}

async function makeServer(): Promise<(Pick<PostgresServer, "url" | "remove"> & { installation: PostgresInstallation }) | null> {
  const installed = await installPostgres();
  const server = installed && (await startPostgresServer({ installation: installed }));
  if (!server) {
    if (process.env.CI) throw new Error("No PostgreSQL server can run here, and CI accepts no skipped tests.");
    warnOfSkips();
    return null;
  }
  const log = pino({ level: "silent" });
  const database = await openPostgres({ url: await createPostgresDatabase(server.url("postgres"), TEMPLATE), poolSize: 1, log });
  await migratePlatform(database, log);
  await database.close();
  const { remove: removeInstallation, ...installation } = installed;
  return { url: server.url, installation, remove: () => server.remove().then(removeInstallation) };
}

function warnOfSkips(): void {
  console.warn("\n*** No PostgreSQL server can run here: every test on PostgreSQL is SKIPPED. Install PostgreSQL 15 or later. ***\n");
}
