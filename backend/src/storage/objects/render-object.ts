import { create } from "content-disposition";
import { clientNetwork } from "../../client-network.ts";
import { IN_PROCESS } from "../../connection.ts";
import type { Call } from "../context.ts";
import { objectName } from "../names.ts";
import { withCurrentBytes } from "./object-rows.ts";
import type { StoredObject } from "./stored-object.ts";
import { followLink } from "../signed/get-signed-object.ts";
import { finder, rechecked } from "./get-object.ts";

/** `GET /render/image/public/{bucket}/{name}`: a rendition of an image in a public bucket. */
export function renderPublic(call: Call): Promise<Response> {
  return render(call, rechecked(call, objectName(call.name)), call.url.searchParams);
}

/** `GET /render/image/authenticated/{bucket}/{name}`: a rendition of an image that the caller may read. */
export async function renderAuthenticated(call: Call): Promise<Response> {
  return render(call, await finder(call), call.url.searchParams);
}

/** `GET /render/image/sign/{bucket}/{name}?token=`: the rendition that a signed link names. */
export async function renderSigned(call: Call): Promise<Response> {
  const { claims, find } = await followLink(call);
  const transform = Object.entries(claims.transformations ?? {}).map(([name, value]) => [name, String(value)]);
  const response = await render(call, find, new URLSearchParams(transform));
  // Caches must not keep it after the link expires.
  response.headers.delete("Cache-Control");
  response.headers.set("Expires", new Date(claims.exp * 1000).toUTCString());
  return response;
}

async function render(
  { storage, request, connection, url }: Call,
  find: () => Promise<StoredObject>,
  transform: URLSearchParams,
): Promise<Response> {
  const { clientAddress } = connection;
  const client = clientAddress === IN_PROCESS.clientAddress ? null : clientNetwork(clientAddress);
  const response = await withCurrentBytes(find, (object) => storage.renderImage(object, transform, request, storage.bytes, client));
  const download = url.searchParams.get("download");
  if (download !== null) response.headers.set("Content-Disposition", create(download === "" ? undefined : download));
  return response;
}
