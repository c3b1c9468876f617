import { Hono, type Context } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { type Connection, IN_PROCESS } from "../connection.ts";
import type { Database } from "../db/database.ts";
import { inTurns } from "../db/in-turns.ts";
import type { Identify } from "../identity.ts";
import type { Job } from "../jobs.ts";
import type { JwtKeys } from "../jwt/jwt.ts";
import { createBucket, deleteBucket, emptyBucket, getBucket, getBuckets, seedBuckets, updateBucket } from "./buckets/buckets.ts";
import type { ByteStore } from "./bytes/byte-store.ts";
import { readCaller, type Call, type Caller, type StorageContext } from "./context.ts";
import { addCorsHeaders, preflightHeaders } from "../cors.ts";
import { errorResponse } from "./error-response.ts";
import { invalidRequest, StorageError } from "./errors.ts";
import { copyObject } from "./objects/copy-object.ts";
import { getInfo, getPublicInfo } from "./objects/get-info.ts";
import { getAuthenticatedObject, getObject, getPublicObject } from "./objects/get-object.ts";
import { listObjects, listObjectsV2 } from "./objects/list-objects.ts";
import { moveObject } from "./objects/move-object.ts";
import { openPublicObjects } from "./objects/public-objects.ts";
import { removeObject, removeObjects } from "./objects/remove-objects.ts";
import { renderAuthenticated, renderPublic, renderSigned } from "./objects/render-object.ts";
import { updateObject, uploadObject } from "./objects/upload-object.ts";
import { renditionSweepJob } from "./renditions/rendition-sweep.ts";
import type { Renditions } from "./renditions/renditions.ts";
import { purgeCache } from "./purge-cache.ts";
import { createRemovedBytes } from "./removed-bytes.ts";
import { getSignedObject } from "./signed/get-signed-object.ts";
import { signObject, signObjects } from "./signed/sign-object.ts";
import { signUpload, uploadSigned } from "./signed/sign-upload.ts";
import { createSweep, type SweepMode } from "./sweep.ts";

interface StorageOptions {
  database: Database;
  /** Stores the objects' bytes; closed with the API. */
  bytes: ByteStore;
  /** Renders images; closed with the API. */
  renditions: Renditions;
  /** Controls the removal of orphans; `on` by default. */
  sweepMode?: SweepMode | undefined;
  jwt: JwtKeys;
  identify: Identify;
  config: Pick<Config, "storage">;
  log: Logger;
}

/** The storage API. */
export interface Storage {
  /** Answers everything below `/storage/v1`. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  jobs: readonly Job[];
  /** True if the bytes belong to a database; fails with a `ByteStoreError` if the store cannot be reached. */
  hasDatabaseId(): Promise<boolean>;
  /** Removes orphaned bytes that were written before a moment. */
  sweep(before: Date, now?: Date): Promise<void>;
  close(): Promise<void>;
}

/** Makes `/storage/v1` on a migrated database, with the buckets of `config.toml`. */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  const { bytes, renditions, jwt, identify, config, log } = options;
  const database = inTurns(options.database);
  await seedBuckets(database, config.storage.buckets);
  const removedBytes = createRemovedBytes({ database, bytes, forget: renditions.forget, log });
  const publicObjects = await openPublicObjects(database);
  const { file_size_limit: fileSizeLimit, image_transformation: images } = config.storage;
  const renderImage = images.enabled ? renditions.render : refuseToRender;
  const storage: StorageContext = { database, bytes, jwt, identify, renderImage, removedBytes, publicObjects, fileSizeLimit, log };
  const sweep = createSweep(storage, options.sweepMode);

  type Handler = (c: Context<{ Bindings: Connection }>) => Promise<Response>;
  /** Accepts every request of an operation; the endpoint decides about the caller. */
  const open = (operation: string, endpoint: (call: Call) => Promise<Response>): Handler => {
    return (c) => {
      const { bucket = "", name = "" } = c.req.param();
      const url = new URL(c.req.url);
      return endpoint({ storage, request: c.req.raw, connection: c.env, url, operation: `storage.${operation}`, bucket, name });
    };
  };
  /** Requires a caller, with whose rights the endpoint reads and writes rows. */
  const as = (operation: string, endpoint: (call: Call, caller: Caller) => Promise<Response>): Handler =>
    open(operation, async (call) => endpoint(call, await readCaller(call)));

  const app = new Hono<{ Bindings: Connection }>().basePath("/storage/v1");
  app.use(async (c, next) => {
    await next();
    c.env.onRoute?.(routePath(c));
    addCorsHeaders(c.res.headers);
    // Bytes of objects have one of the two headers.
    if (!c.res.headers.has("Cache-Control") && !c.res.headers.has("Expires")) c.header("Cache-Control", "no-store");
    if (c.res.status === 503) c.header("Retry-After", RETRY_AFTER_S);
  });
  app.get("/status", () => new Response(null, { status: 200 }));
  app.get("/version", () => new Response(VERSION));
  app.get("/bucket", as("bucket.list", getBuckets));
  app.post("/bucket", as("bucket.create", createBucket));
  app.get("/bucket/:bucket", as("bucket.get", getBucket));
  app.put("/bucket/:bucket", as("bucket.update", updateBucket));
  app.delete("/bucket/:bucket", as("bucket.delete", deleteBucket));
  app.post("/bucket/:bucket/empty", as("bucket.empty", emptyBucket));

  for (const method of ["GET", "PUT", "DELETE"]) app.on(method, "/bucket/:bucket/lifecycle", open("bucket.lifecycle", refuseLifecycle));
  for (const path of ["/cdn", "/cdn/"]) app.delete(path, as("object.purge_cache", purgeCache));
  app.delete("/cdn/:bucket", as("object.purge_cache", purgeCache));
  app.delete("/cdn/:bucket/:name{.+}", as("object.purge_cache", purgeCache));

  app.post("/object/list/:bucket", as("object.list", listObjects));
  app.post("/object/list-v2/:bucket", as("object.list_v2", listObjectsV2));
  app.post("/object/move", as("object.move", moveObject));
  app.post("/object/copy", as("object.copy", copyObject));
  app.get("/object/info/public/:bucket/:name{.+}", open("object.info_public", getPublicInfo));
  app.get("/object/info/authenticated/:bucket/:name{.+}", as("object.info_authenticated", getInfo));
  app.get("/object/info/:bucket/:name{.+}", as("object.info_authenticated", getInfo));
  app.get("/object/public/:bucket/:name{.+}", open("object.get_public", getPublicObject));
  app.get("/object/authenticated/:bucket/:name{.+}", open("object.get_authenticated", getAuthenticatedObject));

  app.post("/object/upload/sign/:bucket/:name{.+}", as("object.sign_upload_url", signUpload));
  app.put("/object/upload/sign/:bucket/:name{.+}", open("object.upload_signed", uploadSigned));
  app.post("/object/sign/:bucket", as("object.sign_many", signObjects));
  app.post("/object/sign/:bucket/:name{.+}", as("object.sign", signObject));
  app.get("/object/sign/:bucket/:name{.+}", open("object.get_signed", getSignedObject));

  let resuming: Promise<(call: Call) => Promise<Response>> | undefined;
  // Loaded with the first resumable upload: the package is large and most uploads are plain ones.
  async function resumable(call: Call): Promise<Response> {
    resuming ??= import("./resumable/resumable.ts").then(({ createResumable }) => createResumable());
    return (await resuming)(call);
  }
  for (const path of ["/upload/resumable/sign", "/upload/resumable"]) {
    app.post(path, open("tus.upload.create", resumable));
    for (const address of [path, `${path}/:id`]) app.options(address, open("tus.options", resumable));
    app.get(`${path}/:id`, open("tus.upload.get", resumable));
    app.patch(`${path}/:id`, open("tus.upload.part", resumable));
    app.delete(`${path}/:id`, open("tus.upload.delete", resumable));
  }

  app.get("/render/image/public/:bucket/:name{.+}", open("render.image_public", renderPublic));
  app.get("/render/image/authenticated/:bucket/:name{.+}", open("render.image_authenticated", renderAuthenticated));
  app.get("/render/image/sign/:bucket/:name{.+}", open("render.image_sign", renderSigned));

  // Last: a bucket may have one of the names above.
  app.post("/object/:bucket/:name{.+}", as("object.upload", uploadObject));
  app.put("/object/:bucket/:name{.+}", as("object.upload_update", updateObject));
  app.delete("/object/:bucket", as("object.delete_many", removeObjects));
  app.delete("/object/:bucket/:name{.+}", as("object.delete", removeObject));
  app.get("/object/:bucket/:name{.+}", open("object.get_authenticated", getObject));

  app.options("*", (c) => new Response(null, { status: 204, headers: preflightHeaders(c.req.raw) }));
  app.notFound((c) => errorResponse(invalidRequest(`Route ${c.req.method}:${c.req.path} not found`), c.req.raw, log));
  app.onError((error, c) => errorResponse(error, c.req.raw, log));

  return {
    fetch: async (request, connection = IN_PROCESS) => app.fetch(request, connection),
    sweep: sweep.run,
    hasDatabaseId: async () => (await bytes.readDatabaseId()) !== null,
    jobs: [sweep.job, renditionSweepJob(database, renditions)],
    async close() {
      await sweep.close();
      await publicObjects.close();
      await removedBytes.close();
      await renditions.close();
      await bytes.close();
    },
  };
}

const RETRY_AFTER_S = "1";

/** The API version that `GET /version` states. */
const VERSION = "1.0.0";

function refuseToRender(): never {
  throw new StorageError("FeatureNotEnabled", { message: "The feature imageTransformation is not enabled for this resource" });
}

function refuseLifecycle(): never {
  throw new StorageError("FeatureNotEnabled", { message: "The feature versioning is not enabled for this resource" });
}
