import { z } from "zod";

// Clients of other languages send booleans as text.
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const off = flag.nullish().transform((value) => value ?? false);
const part = <T extends z.ZodRawShape>(shape: T) => z.preprocess((value) => value ?? {}, z.object(shape));

const changeSchema = z.looseObject({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.string().max(255),
  table: z.string().max(255).optional(),
  filter: z.string().max(10_000).optional(),
  select: z.union([z.string().max(10_000), z.array(z.string().max(255)).max(1000)]).optional(),
});

const configSchema = part({
  broadcast: part({
    ack: off,
    self: off,
    replay: z.unknown().optional(),
    replication_ready: off,
  }),
  presence: part({
    key: z
      .string()
      .max(1000)
      .refine((key) => !key.includes("\0"))
      .nullish()
      .catch(null),
    enabled: off,
  }),
  postgres_changes: z.array(changeSchema).max(100).nullish(),
  private: off,
  postgres_changes_options: part({ wait: off, timeout: z.number().positive().max(20_000).catch(20_000).default(15_000) }),
});

/** The part of an unreadable configuration that is not replaced: the client may send what only the readers of a private channel may see. */
const privateSchema = z.object({ private: off.catch(true) }).catch({ private: false });

const tokenSchema = z.object({ access_token: z.string().nullish().catch(null), user_token: z.string().nullish().catch(null) }).catch({});

/** The configuration of a channel. */
export type JoinConfig = z.infer<typeof configSchema>;

/** Reads the payload of `phx_join`. A configuration that cannot be read is replaced by the defaults, but a private channel stays private. */
export function parseJoin(payload: unknown): { config: JoinConfig; isReadable: boolean; token: string | null } {
  const given = typeof payload === "object" && payload !== null ? payload : {};
  const sent = "config" in given ? given.config : {};
  const parsed = configSchema.safeParse(sent);
  const { access_token: token, user_token: former } = tokenSchema.parse(given);
  return {
    config: parsed.data ?? configSchema.parse(privateSchema.parse(sent)),
    isReadable: parsed.success,
    token: token ?? former ?? null,
  };
}
