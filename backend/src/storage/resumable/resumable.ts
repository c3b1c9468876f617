import { MemoryLocker, Server, type ServerOptions, type Upload } from "@tus/server";
import { CORS_HEADERS, preflightHeaders } from "../../cors.ts";
import { uuid } from "../../uuid.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { type Actor, type Call, type Caller, linkHolder, readCaller } from "../context.ts";
import { logFailure, toStorageError } from "../error-response.ts";
import { accessDenied, invalidRequest, StorageError } from "../errors.ts";
import { objectName } from "../names.ts";
import { requireAllowed } from "../objects/content-type.ts";
import { noContent, parseMetadata } from "../objects/incoming.ts";
import { requireRoom } from "../objects/store-object.ts";
import { readLink, type WritingClaims, writingSchema } from "../signed/tokens.ts";
import { PartStore } from "./part-store.ts";
import { findUpload, type NewUpload } from "./upload-rows.ts";

const PATH = "/storage/v1/upload/resumable";

/** The account or link that an upload is bound to. */
interface Uploader {
  actor: Actor;
  /** The account, or the role of a caller without one. */
  holder: string | null;
  /** For an upload by a signed link: checks the target and returns the link's actor. */
  follow: ((path: string) => Promise<WritingClaims>) | null;
}

/**
 * Makes the tus 1.0 endpoints at `/upload/resumable`. Of two requests for one upload in this process, the later ends the
 * earlier; across processes, only one of them finds the offset that it states.
 */
export function createResumable(): (call: Call) => Promise<Response> {
  const locker = new MemoryLocker();
  return async (call) => {
    if (call.request.method === "OPTIONS") return describeServer(call);
    const uploader = await readUploader(call);
    const datastore = new PartStore(call.storage, uploader);
    const options: ServerOptions & { datastore: PartStore } = {
      path: PATH,
      datastore,
      locker,
      maxSize: call.storage.fileSizeLimit,
      // A relative URL is right behind any proxy.
      generateUrl: (_, { id }) => `${call.url.pathname.replace(/\/$/, "")}/${id}`,
      getFileIdFromRequest: (_, last) => uuid.safeParse(last).data,
      namingFunction: () => crypto.randomUUID(),
      async onIncomingRequest(_, id) {
        if (call.request.method === "POST") return;
        await requireHolder(call, uploader, id);
      },
      async onUploadCreate(_, upload) {
        datastore.planned = await plan(call, uploader, upload);
        call.connection.allowLongBody?.();
        return {};
      },
      onResponseError(_, error) {
        if (!(error instanceof Error) || "status_code" in error) return undefined;
        const refusal = toStorageError(error);
        logFailure(refusal, error, call.storage.log);
        return { status_code: refusal.statusCode, body: refusal.message };
      },
    };
    return new Server(options).handleWeb(call.request);
  };
}

/** Answers OPTIONS: a preflight request, or a client's request for the capabilities of the server. */
async function describeServer(call: Call): Promise<Response> {
  const { storage, request } = call;
  const datastore = new PartStore(storage, { actor: linkHolder(call, null) });
  const response = await new Server({ path: PATH, datastore, maxSize: storage.fileSizeLimit }).handleWeb(request);
  const headers = { ...CORS_HEADERS, ...preflightHeaders(request) };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

async function readUploader(call: Call): Promise<Uploader> {
  const { storage, request, url } = call;
  if (url.pathname === `${PATH}/sign` || url.pathname.startsWith(`${PATH}/sign/`)) {
    const uploader: Uploader = { actor: linkHolder(call, null), holder: null, follow };
    async function follow(path: string): Promise<WritingClaims> {
      const claims = await readLink(storage.jwt, request.headers.get("x-signature"), path, writingSchema);
      uploader.holder = claims.owner ?? null;
      uploader.actor = linkHolder(call, uploader.holder);
      return claims;
    }
    return uploader;
  }
  const caller = await readCaller(call);
  return { actor: caller, holder: holderOf(caller), follow: null };
}

function holderOf({ ownerId, identity }: Caller): string {
  return ownerId ?? `role:${identity.role}`;
}

/** Checks that an upload is allowed before its first byte. */
async function plan(call: Call, uploader: Uploader, { id, size, metadata }: Upload): Promise<NewUpload> {
  const { bucketName = null, objectName: given = null, contentType = null, metadata: own = null } = metadata ?? {};
  if (bucketName === null || given === null) throw invalidRequest("Metadata header is required: bucketName and objectName");
  if (size === undefined || size === 0) throw noContent();
  const name = objectName(given);
  const bucket = await findLimits(call.storage.database, bucketName);
  if (bucket.file_size_limit !== null && size > bucket.file_size_limit)
    throw new StorageError("EntityTooLarge", { message: "Maximum size exceeded" });
  if (contentType !== null) requireAllowed(contentType, bucket.allowed_mime_types);
  parseMetadata(own ?? "");
  const claims = await uploader.follow?.(`${bucket.id}/${name}`);
  const upsert = claims ? claims.upsert : call.request.headers.get("x-upsert") === "true";
  await requireRoom(uploader.actor, { bucket, name, upsert });
  const texts = Object.entries(metadata ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return { id, bucket_id: bucket.id, name, owner_id: uploader.holder, upsert, size, metadata: Object.fromEntries(texts) };
}

/** Answers "not found" to callers other than the holder; the holder may send a long body. */
async function requireHolder({ storage, connection }: Call, uploader: Uploader, id: string): Promise<void> {
  const upload = await findUpload(storage.database, id);
  // The library answers requests for unknown uploads.
  if (!upload) return;
  await uploader.follow?.(`${upload.bucket_id}/${upload.name}`);
  if (upload.owner_id !== uploader.holder) throw accessDenied("The upload belongs to somebody else");
  connection.allowLongBody?.();
}
