import { startEngine } from "./engine.ts";

// A program of its own, run once in the life of a data directory: making a database takes 80 MB that a thread would
// leave to its process for good.
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("Usage: node create-cluster.ts <empty directory>");
const engine = await startEngine({ directory, image: undefined, onStderr: (line) => process.stderr.write(`${line}\n`) });
await engine.close();
