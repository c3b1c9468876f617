import { z } from "zod";

/** The version of the format that this program writes; it reads no later one. */
export const FORMAT = 1;

const columnSchema = z.object({ name: z.string(), type: z.string() });
const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(columnSchema),
  rows: z.int().min(0),
  /** SHA-256 of the rows, without compression. */
  sha256: z.string(),
});

export const manifestSchema = z.object({
  format: z.int(),
  createdAt: z.iso.datetime(),
  program: z.string(),
  postgres: z.string(),
  /** The versions of the applied migrations. */
  migrations: z.object({ platform: z.array(z.string()), project: z.array(z.string()) }),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() })),
  objects: z.object({
    count: z.int().min(0),
    bytes: z.int().min(0),
    /** Versions that the database lists and the storage did not have. */
    missing: z.array(z.string()),
  }),
  secrets: z.boolean(),
});

/** The last but one entry of a backup: everything that a restore must know. */
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestTable = z.infer<typeof tableSchema>;
