import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Database, DatabaseError } from "../db/database.ts";
import { IdentityError } from "../errors.ts";
import type { Identify } from "../identity.ts";
import { HOUR_MS } from "../jobs.ts";
import { SQLSTATE } from "../sqlstates.ts";
import { holdBytes, releaseBytes } from "./hold-bytes.ts";

const PATH = /^\/operations\/v1\/snapshots(?:\/(?<id>[0-9a-f-]{36}))?$/;
/** Returns what the proxies added to the request, to check TRUST_PROXY. */
const REQUEST = "/operations/v1/request";
/** The age at which the copy of an interrupted backup is removed. */
const ABANDONED_MS = 24 * HOUR_MS;

export interface SnapshotsOptions {
  database: Database;
  /** The directory in which copies of the embedded database are made. */
  directory: string;
  identify: Identify;
}

/**
 * Makes `/operations/v1/snapshots` for the secret key: only this process can read the embedded database, so a backup on the same
 * machine has it copied. POST answers `{id, directory}`; DELETE of the id removes the copy. 404 on a PostgreSQL server.
 */
export function createSnapshots(options: SnapshotsOptions): { fetch(request: Request): Promise<Response> } {
  const { database, identify } = options;
  const directory = resolve(options.directory);

  async function create(): Promise<Response> {
    if (!database.copyTo) return failure(404, "not_embedded");
    await removeAbandoned();
    const id = await holdBytes(database);
    if (id === null) throw new Error("The database is not migrated.");
    const copy = join(directory, id);
    try {
      await mkdir(copy, { recursive: true, mode: 0o700 });
      await database.copyTo(join(copy, "database"));
    } catch (error) {
      await remove(id);
      if (error instanceof DatabaseError && error.code === SQLSTATE.diskFull) return failure(507, "disk_full");
      throw error;
    }
    return Response.json({ id, directory: copy }, { status: 201 });
  }

  async function remove(id: string): Promise<Response> {
    await rm(join(directory, id), { recursive: true, force: true });
    await releaseBytes(database, id);
    return new Response(null, { status: 204 });
  }

  async function removeAbandoned(): Promise<void> {
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      if ((await stat(path)).mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const match = PATH.exec(pathname);
      if (!match && pathname !== REQUEST) return failure(404, "not_found");
      if (!(await isService(identify, request))) return failure(401, "not_authorized");
      if (!match) return Response.json({ forwardedFor: request.headers.get("x-forwarded-for") });
      const id = match.groups?.["id"];
      if (request.method === "POST" && id === undefined) return create();
      if (request.method === "DELETE" && id !== undefined) return remove(id);
      return failure(405, "method_not_allowed");
    },
  };
}

async function isService(identify: Identify, request: Request): Promise<boolean> {
  try {
    return (await identify(request)).role === "service_role";
  } catch (error) {
    if (error instanceof IdentityError) return false;
    throw error;
  }
}

function failure(status: number, code: string): Response {
  return Response.json({ code }, { status });
}
