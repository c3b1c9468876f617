import { create } from "content-disposition";
import type { Call } from "../context.ts";
import { objectName } from "../names.ts";
import type { StoredObject } from "../rendering.ts";
import { readLink } from "../signed/get-signed-object.ts";
import { finder, rechecked } from "./get-object.ts";

/** `GET /render/image/public/{bucket}/{name}`: a picture of a public bucket, drawn as the query asks. */
export function renderPublic(call: Call): Promise<Response> {
  return render(call, rechecked(call, objectName(call.name)), call.url.searchParams);
}

/** `GET /render/image/authenticated/{bucket}/{name}`: a picture that the caller may read, drawn as the query asks. */
export async function renderAuthenticated(call: Call): Promise<Response> {
  return render(call, await finder(call), call.url.searchParams);
}

/** `GET /render/image/sign/{bucket}/{name}?token=`: a picture drawn as the link says. */
export async function renderSigned(call: Call): Promise<Response> {
  const { claims, find } = await readLink(call);
  const asked = Object.entries(claims.transformations ?? {}).map(([name, value]) => [name, String(value)]);
  return render(call, find, new URLSearchParams(asked));
}

async function render({ storage, request, url }: Call, find: () => Promise<StoredObject>, asked: URLSearchParams): Promise<Response> {
  const response = await storage.renderImage(await find(), asked, request, storage.bytes);
  const download = url.searchParams.get("download");
  if (download !== null) response.headers.set("Content-Disposition", create(download === "" ? undefined : download));
  return response;
}
