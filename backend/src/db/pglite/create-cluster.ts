import { startEngine } from "./engine.ts";

// A separate program, run once per data directory: creating a database needs 80 MB, which a thread would not return to the
// system.
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("Usage: node create-cluster.ts <empty directory>");
const engine = await startEngine({ directory, image: undefined, onStderr: (line) => process.stderr.write(`${line}\n`) });
await engine.close();
