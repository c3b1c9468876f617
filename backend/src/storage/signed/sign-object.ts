import { z } from "zod";
import type { Call, Caller } from "../context.ts";
import { objectName } from "../names.ts";
import { findObject } from "../objects/object-rows.ts";
import { LONG_JSON_BYTES, readJson } from "../../body/read-json.ts";
import { signLink } from "./tokens.ts";

/** A hundred years. */
const LONGEST_SECONDS = 100 * 366 * 24 * 3600;
const expiresIn = z.number().int().min(1).max(LONGEST_SECONDS);
const oneSchema = z.object({
  expiresIn,
  transform: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  versionId: z.string().optional(),
});
const manySchema = z.object({ expiresIn, paths: z.array(z.string()).min(1).max(1000) });

/** `POST /object/sign/{bucket}/{name}`: creates a link to an object that the caller may read. */
export async function signObject(call: Call, caller: Caller): Promise<Response> {
  const { expiresIn: seconds, transform = {}, versionId } = await readJson(call.request, oneSchema);
  const name = objectName(call.name);
  await caller.run((tx) => findObject(tx, call.bucket, name, versionId ?? null));
  const url = `${call.bucket}/${name}`;
  const isPicture = Object.keys(transform).length > 0;
  const claims = {
    scope: "download" as const,
    url,
    ...(isPicture ? { transformations: transform } : {}),
    ...(versionId === undefined ? {} : { versionId }),
  };
  const token = await signLink(call.storage.jwt, claims, seconds);
  return Response.json({ signedURL: `/${isPicture ? "render/image" : "object"}/sign/${url}?token=${token}` });
}

/** `POST /object/sign/{bucket}`: creates links to several objects, with an error for each that failed. */
export async function signObjects(call: Call, caller: Caller): Promise<Response> {
  const { expiresIn: seconds, paths } = await readJson(call.request, manySchema, { maxBytes: LONG_JSON_BYTES });
  const rows = await caller.run((tx) =>
    tx.query<{ name: string }>(
      "select name from storage.objects where bucket_id = $1 and name in (select jsonb_array_elements_text($2::text::jsonb))",
      [call.bucket, JSON.stringify(paths)],
    ),
  );
  const names = new Set(rows.map(({ name }) => name));
  const links = await Promise.all(
    paths.map(async (path) => {
      if (!names.has(path)) return { error: "Either the object does not exist or you do not have access to it", path, signedURL: null };
      const url = `${call.bucket}/${path}`;
      const token = await signLink(call.storage.jwt, { scope: "download", url }, seconds);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    }),
  );
  return Response.json(links);
}
