import { z } from "zod";
import { findLimits } from "../buckets/bucket-rows.ts";
import { type ByteStore, newKey } from "../bytes/byte-store.ts";
import type { Call, Caller } from "../context.ts";
import { StorageError } from "../errors.ts";
import { objectName } from "../names.ts";
import { readJson } from "../../body/read-json.ts";
import type { StoredObject } from "./stored-object.ts";
import { decideType, HEAD_SIZE } from "./content-type.ts";
import { readMetadataHeader } from "./incoming.ts";
import { moveSchema } from "./move-object.ts";
import { describeObject, findObject, type ObjectRow, OBJECT_COLUMNS, toStoredObject, withCurrentBytes } from "./object-rows.ts";
import { commitObject, requireFits, requireRoom } from "./store-object.ts";

const headerText = z.string().regex(/^[\t\u0020-\u007E]{1,200}$/);
const bodySchema = moveSchema.extend({
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({ cacheControl: headerText.optional(), mimetype: z.string().optional(), contentEncoding: headerText.optional() })
    .optional(),
});

/** `POST /object/copy`: copies an object to another name; replaces an existing object only with `x-upsert: true`; `x-metadata` is its user metadata. */
export async function copyObject(call: Call, caller: Caller): Promise<Response> {
  const { storage, request } = call;
  const body = await readJson(request, bodySchema);
  const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId, copyMetadata, metadata: changes = {} } = body;
  const name = objectName(destinationKey);
  const bucket = await findLimits(storage.database, destinationBucket);
  const find = (): Promise<ObjectRow> => caller.run((tx) => findObject(tx, bucketId, sourceKey, body.sourceVersionId ?? null));
  const given = readMetadataHeader(request.headers);
  const destination = { bucket, name, upsert: request.headers.get("x-upsert") === "true" };

  const id = await withCurrentBytes(find, async (source) => {
    const original = toStoredObject(source);
    const changed = copyMetadata ? {} : changes;
    const metadata = describeObject({
      ...original,
      mimetype: changed.mimetype === undefined ? original.mimetype : await typeOf(storage.bytes, original, changed.mimetype),
      cacheControl: changed.cacheControl ?? original.cacheControl,
      contentEncoding: changed.contentEncoding ?? original.contentEncoding,
    });
    requireFits(metadata, bucket);
    await requireRoom(caller, destination, metadata);
    const version = newKey();
    if (!(await storage.bytes.copy(original.version, version))) throw new StorageError("NoSuchKey");
    const userMetadata = given ?? (copyMetadata ? source.user_metadata : undefined);
    return commitObject(storage, caller, destination, { version, metadata, userMetadata });
  });
  const [row = {}] = await storage.database.transaction((tx) =>
    tx.query(`select ${OBJECT_COLUMNS} from storage.objects where id = $1`, [id]),
  );
  return Response.json({ Id: id, Key: `${bucket.id}/${name}`, ...row });
}

/** A new type must agree with the bytes, as at the upload. */
async function typeOf(bytes: ByteStore, { version, size }: StoredObject, stated: string): Promise<string> {
  const head = size === 0 ? null : await bytes.read(version, { start: 0, end: Math.min(size, HEAD_SIZE) - 1 });
  return decideType(head === null ? new Uint8Array() : await new Response(head).bytes(), stated);
}
