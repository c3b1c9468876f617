const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
// What follows the bucket is the name of a file.
const FILE = /^(\/storage\/v1\/(?:object|render\/image)(?:\/(?:public|authenticated|sign|info|upload))*\/[^/]+)\/.+$/s;

/** The path of a URL for the log: without its origin, its query, ids and file names, which tell who or what was looked at. */
export function logRoute(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, "").split("?", 1)[0] ?? "";
  return path.replace(FILE, "$1/:name").replace(UUID, ":id");
}
