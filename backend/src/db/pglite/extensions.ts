import type { Extension } from "@electric-sql/pglite";
import type { SqlFile } from "../migrate/migration-files.ts";

// The extensions of hosted projects that PGlite includes; loaded only if used, because pgcrypto alone needs 30 MB.
const EXTENSIONS = {
  btree_gin: async () => (await import("@electric-sql/pglite/contrib/btree_gin")).btree_gin,
  btree_gist: async () => (await import("@electric-sql/pglite/contrib/btree_gist")).btree_gist,
  citext: async () => (await import("@electric-sql/pglite/contrib/citext")).citext,
  fuzzystrmatch: async () => (await import("@electric-sql/pglite/contrib/fuzzystrmatch")).fuzzystrmatch,
  hstore: async () => (await import("@electric-sql/pglite/contrib/hstore")).hstore,
  intarray: async () => (await import("@electric-sql/pglite/contrib/intarray")).intarray,
  ltree: async () => (await import("@electric-sql/pglite/contrib/ltree")).ltree,
  moddatetime: async () => (await import("@electric-sql/pglite/contrib/moddatetime")).moddatetime,
  pg_trgm: async () => (await import("@electric-sql/pglite/contrib/pg_trgm")).pg_trgm,
  pgcrypto: async () => (await import("@electric-sql/pglite/contrib/pgcrypto")).pgcrypto,
  tablefunc: async () => (await import("@electric-sql/pglite/contrib/tablefunc")).tablefunc,
  unaccent: async () => (await import("@electric-sql/pglite/contrib/unaccent")).unaccent,
  "uuid-ossp": async () => (await import("@electric-sql/pglite/contrib/uuid_ossp")).uuid_ossp,
} as const satisfies Record<string, () => Promise<Extension>>;

export type ExtensionName = keyof typeof EXTENSIONS;

const NAMES = Object.keys(EXTENSIONS).filter(isExtension);

/** Finds the extensions that SQL files mention; a false match only costs memory. */
export function extensionsNamed(files: readonly SqlFile[]): ExtensionName[] {
  return NAMES.filter((name) => files.some(({ text }) => text.includes(name)));
}

/** Loads these extensions for PGlite; a database that uses an extension must always be opened with it. */
export async function loadExtensions(names: readonly ExtensionName[]): Promise<Record<string, Extension>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await EXTENSIONS[name]()] as const)));
}

function isExtension(name: string): name is ExtensionName {
  return name in EXTENSIONS;
}
