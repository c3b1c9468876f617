import { type Call, linkHolder } from "../context.ts";
import { objectName } from "../names.ts";
import { upload } from "../objects/upload-object.ts";
import { readWritingLink } from "./tokens.ts";

/** `PUT /object/upload/sign/{bucket}/{name}?token=`: uploads an object with a signed link, as the account that created the link. */
export async function uploadSigned(call: Call): Promise<Response> {
  const { storage, url, bucket, name } = call;
  const claims = await readWritingLink(storage.jwt, url.searchParams.get("token"), `${bucket}/${objectName(name)}`);
  return upload(call, linkHolder(call, claims.owner ?? null), claims.upsert);
}
