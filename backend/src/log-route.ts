const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const AT = /@|%40/i;
// The path after the bucket is a file name.
const BUCKET = /^\/storage\/v1\/(?:object|render\/image|cdn)(?:\/(?:public|authenticated|sign|info|upload))*\/[^/]+(?=\/.)/s;

/** The path of a URL for the log, without origin, query, ids, addresses and file names, which may identify a person. */
export function logRoute(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, "").split("?", 1)[0] ?? "";
  const bucket = BUCKET.exec(path)?.[0];
  const named = (bucket === undefined ? path : `${bucket}/:name`).replace(UUID, ":id");
  return AT.test(named) ? named.replace(/[^/]+/g, (part) => (AT.test(part) ? ":address" : part)) : named;
}
