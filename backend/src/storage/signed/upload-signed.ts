import { type Call, linkHolder } from "../context.ts";
import { objectName } from "../names.ts";
import { upload } from "../objects/upload-object.ts";
import { readWritingLink } from "./tokens.ts";

/** `PUT /object/upload/sign/{bucket}/{name}?token=`: keeps a file where a link allows it, for whoever had it made. */
export async function uploadSigned(call: Call): Promise<Response> {
  const { storage, url, bucket, name } = call;
  const claims = await readWritingLink(storage.jwt, url.searchParams.get("token"), `${bucket}/${objectName(name)}`);
  return upload(call, linkHolder(call, claims.owner ?? null), claims.upsert);
}
