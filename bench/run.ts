import { readdir } from "node:fs/promises";

// Runs all benchmarks, or the named ones: `npm run bench -- cached-page`. Each prints ratios to a baseline measured in the same run.

const [...wanted] = process.argv.slice(2);
const names = (await readdir(import.meta.dirname)).flatMap((file) =>
  file.endsWith(".bench.ts") ? [file.slice(0, -".bench.ts".length)] : [],
);

for (const name of names.toSorted()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await import(`./${name}.bench.ts`);
}
