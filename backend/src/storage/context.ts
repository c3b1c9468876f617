import type { Logger } from "pino";
import { asIdentity, type IdentityOptions } from "../db/as-identity.ts";
import type { Database, Transaction } from "../db/database.ts";
import type { Identify, Identity } from "../identity.ts";
import type { JwtKeys } from "../jwt.ts";
import type { ByteStore } from "./bytes/byte-store.ts";
import type { PublicObjects } from "./objects/public-objects.ts";
import type { RemovedBytes } from "./removed-bytes.ts";
import type { RenderImage } from "./objects/stored-object.ts";

/** What the endpoints share. */
export interface StorageContext {
  database: Database;
  bytes: ByteStore;
  jwt: JwtKeys;
  identify: Identify;
  renderImage: RenderImage;
  removedBytes: RemovedBytes;
  publicObjects: PublicObjects;
  /** Bytes that no object may exceed, whatever its bucket says. */
  fileSizeLimit: number;
  log: Logger;
}

/** One request on its way through an endpoint. */
export interface Call {
  storage: StorageContext;
  request: Request;
  url: URL;
  /** What policies read as `storage.operation()`. */
  operation: string;
  /** The parts of the path that the route names, decoded; empty where it names none. */
  bucket: string;
  name: string;
}

/** On whose behalf rows are read and written. */
export interface Actor {
  /** The account, where there is one: owner of what it uploads. */
  ownerId: string | null;
  /** Runs `work` in one transaction; `deletes` where it removes rows. */
  run<T>(work: (tx: Transaction) => Promise<T>, options?: { deletes?: boolean }): Promise<T>;
}

/** Who sent a request. */
export interface Caller extends Actor {
  identity: Identity;
}

/** Reads who asks; whatever they run, row-level security decides. Fails with an `IdentityError`. */
export async function readCaller({ storage, request, url, operation }: Call): Promise<Caller> {
  const identity = await storage.identify(request);
  const { sub } = identity.claims;
  const info = { method: request.method, path: url.pathname, headers: Object.fromEntries(request.headers) };
  const usually: IdentityOptions = { settings: [["storage.operation", operation]] };
  const whenDeleting: IdentityOptions = {
    settings: [
      ["storage.operation", operation],
      ["storage.allow_delete_query", "true"],
    ],
  };
  return {
    identity,
    ownerId: typeof sub === "string" ? sub : null,
    run: (work, { deletes = false } = {}) => asIdentity(storage.database, identity, info, work, deletes ? whenDeleting : usually),
  };
}

/** Acts for whoever a signed link was given to: what it allows was decided when it was signed. */
export function linkHolder({ storage }: Call, ownerId: string | null): Actor {
  return { ownerId, run: (work) => storage.database.transaction(work) };
}

/** Thrown through a transaction to end it with a rollback on purpose. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}

/** Runs `work` and undoes it: it only says whether it would be allowed. */
export async function tryOut(actor: Actor, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  try {
    await actor.run(async (tx) => {
      await work(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}
