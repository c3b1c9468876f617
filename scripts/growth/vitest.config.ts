import { defineConfig } from "vitest/config";

// `npm run try-growth`; not part of `npm test`, because it needs nginx and PgBouncer, and takes minutes.
export default defineConfig({
  test: {
    include: ["scripts/growth/*.try.ts"],
    globalSetup: ["backend/test/global-setup.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
