import type { Logger } from "pino";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

/** The settings of the REST API: those of `config.toml`, and those that SQL has set. */
export type ApiSettings = Config["api"] & {
  /** The function to call before each request; null for none. */
  pre_request: string | null;
};

const names = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((name) => name.trim()) : value),
  z.array(z.string()),
);
const flag = z.boolean().or(z.stringbool());

/** Parses settings of which some are texts. */
const parser = z.object({
  schemas: names,
  extra_search_path: names,
  max_rows: z.coerce.number().int().positive(),
  aggregates_enabled: flag,
  plan_enabled: flag,
  tx_end: z.enum(["commit", "commit-allow-override", "rollback", "rollback-allow-override"]),
  pre_request: z
    .string()
    .nullable()
    .transform((name) => name || null),
});

/**
 * Reads the settings that SQL has set with `alter role authenticator set pgrst.db_… = …`, which precede those of `config.toml`.
 * Settings of another form have no effect and are logged. Fails with a `DatabaseError`.
 */
export async function readSettings(database: Database, api: Config["api"], log: Logger): Promise<ApiSettings> {
  const rows = await database.transaction((tx) => tx.query<{ name: string; value: string }>(SETTINGS), { readOnly: true });
  const settings: ApiSettings = { ...api, pre_request: null };
  for (const { name, value } of rows) {
    const { data } = parser.safeParse({ ...settings, [name]: value });
    if (!data || !(name in data)) log.warn({ setting: `pgrst.db_${name}`, value }, "this setting of the role authenticator has no effect");
    Object.assign(settings, data);
  }
  return settings;
}

// Settings for this database come last.
const SETTINGS = `
select substr(split_part(setting, '=', 1), length('pgrst.db_') + 1) as name, substr(setting, strpos(setting, '=') + 1) as value
from pg_db_role_setting s
cross join unnest(s.setconfig) setting
where s.setrole = to_regrole('authenticator') and setting like 'pgrst.db\\_%'
  and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
order by s.setdatabase`;
