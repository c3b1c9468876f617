import { defineConfig } from "vitest/config";

// Polling assertions wait long enough for a busy machine.
const PATIENT = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // Two workers keep two cores busy: databases run in their own threads and processes.
    maxWorkers: 2,
    // At this level they run once for all projects, but after the setup of each project.
    globalSetup: ["backend/test/global-setup.ts", "site/test/support/global-setup.ts"],
    projects: [
      { test: { name: "content", include: ["content/**/*.test.ts"] } },
      {
        test: {
          name: "backend",
          include: ["backend/**/*.test.ts"],
          setupFiles: ["backend/test/no-console-error.ts", "backend/test/fuzz-seed.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: "site",
          include: ["site/**/*.test.ts", "server/**/*.test.ts", "supabase/**/*.test.ts", "scripts/**/*.test.ts"],
          setupFiles: ["backend/test/no-console-error.ts", "backend/test/fuzz-seed.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: PATIENT,
        },
      },
      // Two journeys run at a time, each with a browser and its own product processes.
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["e2e/support/global-setup.ts"],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: PATIENT,
        },
      },
    ],
  },
});
