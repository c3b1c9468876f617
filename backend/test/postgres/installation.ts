import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { chown, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres, type PostgresBinaries } from "./binaries.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

/** The programs of PostgreSQL and a data directory without changes since `initdb`, for servers to copy. */
export interface PostgresInstallation {
  binaries: PostgresBinaries;
  emptyData: string;
}

/** Installs PostgreSQL for the servers of tests, or returns null if none can run on this machine. `remove` deletes the files. */
export async function installPostgres(): Promise<(PostgresInstallation & { remove(): void }) | null> {
  const programs = await mkdtemp(join(tmpdir(), "larkfell-postgres-"));
  const emptyData = await mkdtemp(join(TEMPORARY_FILES, "larkfell-postgres-empty-"));
  const remove = (): void => {
    process.removeListener("exit", remove);
    for (const path of [programs, emptyData]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", remove);
  const binaries = await findPostgres(programs);
  if (!binaries) {
    remove();
    return null;
  }
  const user = await unprivilegedUser();
  if (user) for (const path of [programs, emptyData]) await chown(path, user.uid, user.gid);
  await promisify(execFile)(binaries.initdb, initdbArguments(binaries, emptyData), { ...user, cwd: emptyData });
  return { binaries, emptyData, remove };
}

/** The user that servers run as: PostgreSQL refuses root, so tests that run as root start it as an unprivileged user. */
export async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entry = (await readFile("/etc/passwd", "utf8")).split("\n").find((line) => line.startsWith("nobody:"));
  const [, , uid, gid] = entry?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("The tests run as root, and there is no user nobody to run PostgreSQL as.");
  return { uid: Number(uid), gid: Number(gid) };
}

function initdbArguments({ major }: PostgresBinaries, data: string): string[] {
  // The collation of the embedded database, so that both sort alike; available on every platform since version 17.
  const locale = major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"] : ["--locale=C"];
  return ["-D", data, "-U", "postgres", "-E", "UTF8", "--auth=trust", "--no-sync", "--no-instructions", ...locale];
}
