import { MemoryLocker, Server, type ServerOptions, type Upload } from "@tus/server";
import { findLimits } from "../buckets/bucket-rows.ts";
import { type Actor, type Call, type Caller, linkHolder, readCaller } from "../context.ts";
import { toStorageError } from "../error-response.ts";
import { accessDenied, invalidRequest, tooLarge } from "../errors.ts";
import { objectName } from "../names.ts";
import { requireAllowed } from "../objects/content-type.ts";
import { noContent, parseMetadata } from "../objects/incoming.ts";
import { requireRoom } from "../objects/store-object.ts";
import { readWritingLink, type WritingClaims } from "../signed/tokens.ts";
import { PartStore } from "./part-store.ts";
import { findUpload, type NewUpload } from "./upload-rows.ts";

const PATH = "/storage/v1/upload/resumable";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Who goes on with an upload; it is bound to them. */
interface Uploader {
  actor: Actor;
  /** The account, or the role where there is none. */
  holder: string | null;
  /** For an upload by link: whether it goes there, and then on behalf of whoever had the link made. */
  follow: ((path: string) => Promise<WritingClaims>) | null;
}

/**
 * Makes the endpoints of resumable uploads, `/upload/resumable` and below, which speak tus 1.0. Of two requests for one upload
 * the later one ends the earlier, in this process; in another, only one of them finds the upload as far as it says it is.
 */
export function createResumable(): (call: Call) => Promise<Response> {
  const locker = new MemoryLocker();
  return async (call) => {
    const uploader = await readUploader(call);
    let planned: NewUpload | undefined;
    const datastore = new PartStore({
      storage: call.storage,
      actor: () => uploader.actor,
      planned() {
        if (!planned) throw new Error("An upload is created that was not planned.");
        return planned;
      },
    });
    const options: ServerOptions & { datastore: PartStore } = {
      path: PATH,
      datastore,
      locker,
      maxSize: call.storage.fileSizeLimit,
      // A relative one holds wherever the client has reached us.
      generateUrl: (_, { id }) => `${call.url.pathname.replace(/\/$/, "")}/${id}`,
      getFileIdFromRequest: (_, last) => (last !== undefined && UUID.test(last) ? last : undefined),
      namingFunction: () => crypto.randomUUID(),
      async onIncomingRequest(_, id) {
        if (call.request.method !== "POST") await requireHolder(call, uploader, id);
      },
      async onUploadCreate(_, upload) {
        planned = await plan(call, uploader, upload);
        return {};
      },
      onResponseError(_, error) {
        if (!(error instanceof Error) || "status_code" in error) return undefined;
        const { statusCode, message, cause } = toStorageError(error);
        if (statusCode >= 500) call.storage.log.error({ err: cause ?? error }, "resumable upload failed");
        return { status_code: statusCode, body: message };
      },
    };
    return new Server(options).handleWeb(call.request);
  };
}

async function readUploader(call: Call): Promise<Uploader> {
  const { storage, request, url } = call;
  if (url.pathname === `${PATH}/sign` || url.pathname.startsWith(`${PATH}/sign/`)) {
    const uploader: Uploader = { actor: linkHolder(call, null), holder: null, follow };
    async function follow(path: string): Promise<WritingClaims> {
      const claims = await readWritingLink(storage.jwt, request.headers.get("x-signature"), path);
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

/** Whether an upload may begin, asked before a byte of it comes. */
async function plan(call: Call, uploader: Uploader, { id, size, metadata }: Upload): Promise<NewUpload> {
  const { bucketName = null, objectName: given = null, contentType = null, metadata: own = null } = metadata ?? {};
  if (bucketName === null || given === null) throw invalidRequest("Metadata header is required: bucketName and objectName");
  if (size === undefined || size === 0) throw noContent();
  const name = objectName(given);
  const bucket = await findLimits(call.storage.database, bucketName);
  if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw tooLarge();
  if (contentType !== null) requireAllowed(contentType, bucket.allowed_mime_types);
  parseMetadata(own ?? "");
  const claims = await uploader.follow?.(`${bucket.id}/${name}`);
  const upsert = claims ? claims.upsert : call.request.headers.get("x-upsert") === "true";
  await requireRoom(uploader.actor, { bucket, name, upsert });
  const texts = Object.entries(metadata ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  return { id, bucket_id: bucket.id, name, owner_id: uploader.holder, upsert, size, metadata: Object.fromEntries(texts) };
}

/** Refuses who did not begin an upload, as if it were not there. */
async function requireHolder({ storage }: Call, uploader: Uploader, id: string): Promise<void> {
  const upload = await findUpload(storage.database, id);
  // The library answers for what is not there.
  if (!upload) return;
  await uploader.follow?.(`${upload.bucket_id}/${upload.name}`);
  if (upload.owner_id !== uploader.holder) throw accessDenied("The upload belongs to somebody else");
}
