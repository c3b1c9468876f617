import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { pipeline } from "node:stream";

// The baseline for downloads: a minimal Node file server. Arguments: port, directory.
const [port, directory] = process.argv.slice(2);
if (port === undefined || directory === undefined) throw new Error("usage: static-files-server.ts <port> <directory>");

createServer((request, response) => {
  const path = join(directory, basename(request.url ?? ""));
  void stat(path).then(({ size, mtime }) => {
    if (response.destroyed) return;
    response.writeHead(200, { "Content-Type": "image/jpeg", "Content-Length": size, "Last-Modified": mtime.toUTCString() });
    pipeline(createReadStream(path), response, () => undefined);
  });
}).listen(Number(port), "127.0.0.1");
