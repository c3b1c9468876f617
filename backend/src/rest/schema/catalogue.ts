import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { KEYS, READS, RELATIONS, ROUTINES, VIEWS } from "./catalogue-queries.ts";

const names = z.array(z.string());

const relationRow = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  description: z.string().nullable(),
  columns: z.array(
    z.object({
      number: z.number(),
      name: z.string(),
      type: z.string(),
      baseType: z.string(),
      toJson: z.string().nullable(),
      fromJson: z.string().nullable(),
      fromText: z.string().nullable(),
      nullable: z.boolean(),
      default: z.string().nullable(),
      description: z.string().nullable(),
      labels: names.nullable(),
    }),
  ),
});

/** The stored query of a view, which may be in a schema that is not exposed. */
const viewRow = z.object({ oid: z.number(), query: z.string() });

const keyRow = z.object({
  table: z.number(),
  kind: z.enum(["p", "u", "f"]),
  name: z.string(),
  columns: names,
  numbers: z.array(z.number()),
  target: z.number(),
  targetColumns: names,
  targetNumbers: z.array(z.number()),
});

const routineRow = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  volatility: z.enum(["v", "s", "i"]),
  returnsSet: z.boolean(),
  rows: z.number(),
  returns: z.string(),
  returnsKind: z.string(),
  returnsRelation: z.number(),
  defaults: z.number(),
  args: z.array(z.object({ name: z.string(), type: z.string(), relation: z.number(), mode: z.string() })),
});

/** The tables that a view or function reads, `*` for those Postgres does not know. */
const readsRow = z.object({ kind: z.enum(["view", "function"]), oid: z.number(), tables: names });

export type RelationRow = z.infer<typeof relationRow>;
type ViewRow = z.infer<typeof viewRow>;
export type KeyRow = z.infer<typeof keyRow>;
export type RoutineRow = z.infer<typeof routineRow>;

/** The rows of Postgres's system catalogue; relations are referred to by OID. */
export interface Catalogue {
  relations: readonly RelationRow[];
  views: readonly ViewRow[];
  keys: readonly KeyRow[];
  routines: readonly RoutineRow[];
  reads: readonly z.infer<typeof readsRow>[];
}

/** Reads the catalogue of these schemas and the views of the extra search path. Fails with a `DatabaseError`. */
export function readCatalogue(database: Database, schemas: readonly string[], searchPath: readonly string[]): Promise<Catalogue> {
  return database.transaction(
    async (tx) => {
      // With an empty search path, every type name comes back with its schema unless it is built in.
      await tx.query("select set_config('search_path', '', true)");
      const exposed = [JSON.stringify(schemas)];
      const rowsOf = async <T>(text: string, values: readonly string[], row: z.ZodType<T>): Promise<T[]> => {
        const [found] = await tx.query(text, values);
        return z.array(row).parse(JSON.parse(String(found?.["rows"])));
      };
      const [relations, views, keys, routines, reads] = await Promise.all([
        rowsOf(RELATIONS, exposed, relationRow),
        rowsOf(VIEWS, [JSON.stringify([...schemas, ...searchPath])], viewRow),
        rowsOf(KEYS, [], keyRow),
        rowsOf(ROUTINES, exposed, routineRow),
        rowsOf(READS, exposed, readsRow),
      ]);
      return { relations, views, keys, routines, reads };
    },
    { readOnly: true },
  );
}
