import { defineConfig } from "vitest/config";

// What is asked again until it is so may take a while where much runs beside it.
const PATIENT = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    // Two workers keep two cores busy: most of the work is in the databases, which have threads and processes of their own.
    maxWorkers: 2,
    // Here it runs once for all projects; in one of them, once for each that names it.
    globalSetup: ["backend/test/global-setup.ts"],
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
      // Two journeys at a time, each with a browser and processes of the product beside it.
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
