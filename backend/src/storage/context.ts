import type { Logger } from "pino";
import { asIdentity } from "../db/as-identity.ts";
import type { Database, Transaction, TransactionOptions } from "../db/database.ts";
import type { Connection } from "../connection.ts";
import type { Identify, Identity } from "../identity.ts";
import type { JwtKeys } from "../jwt/jwt.ts";
import type { ByteStore } from "./bytes/byte-store.ts";
import { StorageError } from "./errors.ts";
import type { PublicObjects } from "./objects/public-objects.ts";
import type { RemovedBytes } from "./removed-bytes.ts";
import type { RenderImage } from "./objects/stored-object.ts";

/** Dependencies shared by all storage endpoints. */
export interface StorageContext {
  database: Database;
  bytes: ByteStore;
  jwt: JwtKeys;
  identify: Identify;
  renderImage: RenderImage;
  removedBytes: RemovedBytes;
  publicObjects: PublicObjects;
  /** The maximum size of an object in bytes; a bucket may set a lower one. */
  fileSizeLimit: number;
  log: Logger;
}

/** One request to an endpoint. */
export interface Call {
  storage: StorageContext;
  request: Request;
  connection: Connection;
  url: URL;
  /** The value of `storage.operation()` in policies. */
  operation: string;
  /** The decoded path parameters; empty if the route has none. */
  bucket: string;
  name: string;
}

/** The account and role with which rows are read and written. */
export interface Actor {
  /** The account that owns uploads; null for requests without one. */
  ownerId: string | null;
  /** Runs `work` in one transaction. */
  run<T>(work: (tx: Transaction) => Promise<T>, options?: Pick<TransactionOptions, "rollback">): Promise<T>;
}

export interface Caller extends Actor {
  identity: Identity;
}

const DELETION = /\.(?:delete|empty)/;

/** Reads the caller of a request; its transactions are subject to row-level security. Fails with an `IdentityError`. */
export async function readCaller({ storage, request, url, operation }: Call): Promise<Caller> {
  const identity = await storage.identify(request);
  const { sub } = identity.claims;
  const info = { method: request.method, path: url.pathname, headers: Object.fromEntries(request.headers) };
  // A trigger refuses to delete rows outside of this API.
  const settings = [
    ["storage.operation", operation],
    ["storage.allow_delete_query", "true"],
  ] as const;
  return {
    identity,
    ownerId: typeof sub === "string" ? sub : null,
    // A deletion frees space.
    run: (work, options) =>
      asIdentity(storage.database, identity, info, work, { settings, useReserve: DELETION.test(operation), ...options }),
  };
}

/** The actor of a signed link: its rights were checked when it was signed. */
export function linkHolder({ storage }: Call, ownerId: string | null): Actor {
  return { ownerId, run: (work, options) => storage.database.transaction(work, options) };
}

/** Fails with a `StorageError` for a caller other than the service role. */
export function requireServiceRole({ identity }: Caller): void {
  if (identity.role !== "service_role") throw new StorageError("AccessDenied", { message: "Access denied: Invalid role", httpStatus: 403 });
}
