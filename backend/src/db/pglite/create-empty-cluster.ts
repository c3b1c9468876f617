import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { EMPTY_CLUSTER } from "./empty-cluster.ts";
import { startEngine } from "./engine.ts";

// A program that scripts/setup.mjs runs once per version of PGlite: `initdb` takes several times as long as unpacking its result.

const target = dirname(EMPTY_CLUSTER);
await mkdir(target, { recursive: true });
const directory = await mkdtemp(join(target, "unfinished-"));
try {
  const cluster = join(directory, "cluster");
  await createCluster(cluster);
  const archive = join(directory, "archive");
  await packCluster(cluster, archive);
  await rename(archive, EMPTY_CLUSTER);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function createCluster(cluster: string): Promise<void> {
  const lines: string[] = [];
  try {
    const engine = await startEngine({ directory: cluster, image: undefined, onStderr: (line) => lines.push(line) });
    await engine.close();
  } catch (error) {
    throw new Error(lines.join("\n"), { cause: error });
  }
}

async function packCluster(cluster: string, archive: string): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(archive));
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(cluster, path).replaceAll("\\", "/");
    if (entry.isDirectory()) tar.entry({ name, type: "directory" });
    else tar.entry({ name }, await readFile(path));
  }
  tar.finalize();
  await written;
}
