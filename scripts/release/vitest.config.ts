import { defineConfig } from "vitest/config";

// `npm run try-release`; not part of `npm test`, because it takes half a minute.
export default defineConfig({ test: { include: ["scripts/release/*.try.ts"], testTimeout: 300_000, hookTimeout: 300_000 } });
