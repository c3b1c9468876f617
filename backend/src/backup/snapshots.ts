import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, DatabaseError } from "../db/database.ts";
import { IdentityError } from "../errors.ts";
import type { Identify } from "../identity.ts";
import { HOUR_MS, type Job } from "../jobs.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { holdBytes, releaseBytes } from "./hold-bytes.ts";

const PATH = /^\/operations\/v1\/snapshots(?:\/(?<id>[0-9a-f-]{36}))?$/;
/** The endpoint that returns the X-Forwarded-For of the request, with which `doctor` checks TRUST_PROXY. */
const REQUEST = "/operations/v1/request";
/** The age at which the copy of an interrupted backup is removed. */
const ABANDONED_MS = 24 * HOUR_MS;
/** The time after which a request for a copy that is not complete is answered; far below the timeouts that end idle connections. */
const PATIENCE_MS = 20_000;

interface SnapshotsOptions {
  database: Database;
  /** The directory in which copies of the embedded database are made. */
  directory: string;
  identify: Identify;
  /** For tests. */
  patienceMs?: number;
}

/** The answer to a request for a copy. */
interface Copied {
  status: 201 | 507;
  body: Record<string, string>;
}

/**
 * Makes `/operations/v1/snapshots` for the secret key: only this process can read the embedded database, so a backup on the same
 * machine has it copied. POST answers 201 with `{id, directory}`, or 202 with `{id}` if it takes long: GET of the id then answers in the
 * same way. DELETE of the id removes the copy. 404 on a PostgreSQL server. The job removes the copies of interrupted backups.
 */
export function createSnapshots(options: SnapshotsOptions): { fetch(request: Request): Promise<Response>; job: Job } {
  const { database, identify, patienceMs = PATIENCE_MS } = options;
  const directory = resolve(options.directory);
  const copies = new Map<string, Promise<Copied>>();

  async function create(): Promise<Response> {
    if (!database.copyTo) return failure(404, "not_embedded");
    const id = await holdBytes(database);
    if (id === null) throw new Error("The database is not migrated.");
    const copying = copy(id, database.copyTo);
    // Its failure is that of the request that waits for it, if there is one.
    copying.catch(() => undefined);
    copies.set(id, copying);
    return answer(id);
  }

  async function copy(id: string, copyTo: NonNullable<Database["copyTo"]>): Promise<Copied> {
    const target = join(directory, id);
    try {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await copyTo(join(target, "database"));
      return { status: 201, body: { id, directory: target } };
    } catch (error) {
      await remove(id);
      if (error instanceof DatabaseError && error.code === SQLSTATE.diskFull) return { status: 507, body: { code: "disk_full" } };
      throw error;
    }
  }

  async function answer(id: string): Promise<Response> {
    const copying = copies.get(id);
    if (!copying) return failure(404, "not_found");
    const copied = await Promise.race([copying, delay(patienceMs, null, { ref: false })]);
    return copied ? Response.json(copied.body, { status: copied.status }) : Response.json({ id }, { status: 202 });
  }

  async function remove(id: string): Promise<void> {
    await rm(join(directory, id), { recursive: true, force: true });
    await releaseBytes(database, id);
  }

  async function end(id: string): Promise<Response> {
    await Promise.allSettled([copies.get(id)]);
    copies.delete(id);
    await remove(id);
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
      if (request.method === "GET" && id !== undefined) return answer(id);
      if (request.method === "DELETE" && id !== undefined) return end(id);
      return failure(405, "method_not_allowed");
    },
    job: { name: "snapshots", intervalMs: HOUR_MS, everyProcess: true, run: removeAbandoned },
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
