import { z } from "zod";

// Clients of other languages send booleans as text.
const flag = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(["true", "false"]))
    .transform((text) => text === "true"),
]);
const off = flag.nullish().transform((value) => value ?? false);
const part = <T extends z.ZodRawShape>(shape: T) => z.preprocess((value) => value ?? {}, z.object(shape));

const DEFAULT_TIMEOUT_MS = 15_000;
const LONGEST_TIMEOUT_MS = 20_000;

const configSchema = part({
  broadcast: part({
    ack: off,
    self: off,
    replay: z.unknown().optional(),
    replication_ready: off,
  }),
  presence: part({
    key: z
      .union([z.string(), z.number(), z.boolean()])
      .transform(String)
      .refine((key) => key.length <= 1000 && !key.includes("\0"))
      .nullish(),
    enabled: off,
  }),
  postgres_changes: z
    .array(z.looseObject({}).nullable())
    .max(100)
    .nullish()
    .transform((requests) => requests?.filter((request) => request !== null) ?? []),
  // Private if unreadable, because the client may send data for the readers of a private channel only.
  private: off.catch(true),
  postgres_changes_options: part({
    wait: off,
    timeout: z
      .number()
      .positive()
      .nullish()
      .transform((ms) => Math.min(ms ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)),
  }),
});

const partsSchema = z.record(z.string(), z.unknown()).catch({});

const tokenSchema = z.object({ access_token: z.string().nullish().catch(null), user_token: z.string().nullish().catch(null) }).catch({});

/** The configuration of a channel. */
export type JoinConfig = z.infer<typeof configSchema>;

/** Reads the payload of `phx_join`. An option that cannot be read has its default, but a private channel stays private. */
export function parseJoin(payload: unknown): { config: JoinConfig; isReadable: boolean; token: string | null } {
  const given = typeof payload === "object" && payload !== null ? payload : {};
  const sent = "config" in given ? given.config : {};
  const parsed = configSchema.safeParse(sent);
  const { access_token: token, user_token: former } = tokenSchema.parse(given);
  return {
    config: parsed.data ?? configSchema.parse(withoutUnreadable(sent, parsed.error.issues)),
    isReadable: parsed.success,
    token: token ?? former ?? null,
  };
}

/** Returns a configuration without the options that have issues. */
function withoutUnreadable(sent: unknown, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> {
  const parts = { ...partsSchema.parse(sent) };
  for (const { path } of issues) {
    const [name, option] = path.map(String);
    if (name === undefined) continue;
    const options = parts[name];
    if (option === undefined || Array.isArray(options)) delete parts[name];
    else parts[name] = { ...partsSchema.parse(options), [option]: undefined };
  }
  return parts;
}
