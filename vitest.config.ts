import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Polling assertions wait long enough for a busy machine.
const PATIENT = { poll: { timeout: 60_000 } };

// The threads of embedded databases load the same modules each time.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");

/** Tests in Node. */
const IN_NODE = {
  setupFiles: ["backend/test/no-console-error.ts", "backend/test/fuzz-seed.ts", "backend/test/share-webassembly.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: PATIENT,
  // The product has no state in modules, so test files may share them.
  isolate: false,
  // Each test file opens databases for seconds: optimised WebAssembly and frequent collections of new objects cost more than they save.
  execArgv: ["--liftoff-only", "--min-semi-space-size=16"],
  // More workers than cores: a test often waits for another process or for a time limit.
  maxWorkers: 4,
};

export default defineConfig({
  test: {
    // At this level they run once for all projects, but after the setup of each project.
    globalSetup: ["backend/test/global-setup.ts", "site/test/support/global-setup.ts"],
    projects: [
      { test: { name: "content", maxWorkers: IN_NODE.maxWorkers, include: ["content/**/*.test.ts"] } },
      { test: { ...IN_NODE, name: "backend", include: ["backend/**/*.test.ts"] } },
      {
        test: {
          ...IN_NODE,
          name: "site",
          include: ["site/**/*.test.ts", "server/**/*.test.ts", "supabase/**/*.test.ts", "scripts/**/*.test.ts", "operations/**/*.test.ts"],
        },
      },
      // Each journey has a browser and its own product processes.
      {
        test: {
          name: "e2e",
          maxWorkers: 4,
          isolate: false, // as above; loading the support of the journeys takes longer than a small one of them
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["e2e/support/global-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect: PATIENT,
        },
      },
    ],
  },
});
