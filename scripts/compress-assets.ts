import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"]);
const SMALLEST = 256;

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: compress-assets.ts <directory>");

for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXT.has(extname(entry.name))) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = await readFile(file);
  if (bytes.length < SMALLEST) continue;
  const brotliOptions = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotliOptions));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
