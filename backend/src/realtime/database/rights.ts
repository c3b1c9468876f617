import { DatabaseError } from "../../db/database.ts";
import type { Ask, Caller } from "./ask.ts";

/** The rights of a caller on a private topic. */
export interface TopicRights {
  broadcast: { read: boolean; write: boolean };
  presence: { read: boolean; write: boolean };
}

interface RightsRow extends Record<string, unknown> {
  readable: number[];
  writable: number[];
}

const EXTENSIONS = ["broadcast", "presence"] as const;

// A policy sees the row that a message would be. As on hosted projects, the role needs the privilege too.
const READ = `select
    case when has_table_privilege('realtime.messages', 'select') then realtime.permitted('realtime.messages', 'r', messages) else '{}' end as readable,
    case when has_table_privilege('realtime.messages', 'insert') then realtime.permitted('realtime.messages', 'a', messages) else '{}' end as writable
  from (
    select jsonb_agg(to_jsonb(jsonb_populate_record(null::realtime.messages, fields)) order by position) as messages
    from jsonb_array_elements($1::text::jsonb) with ordinality as given (fields, position)
  ) as given`;

/** Evaluates the policies on `realtime.messages`. A policy that fails gives no rights. Fails if the database cannot be reached. */
export async function readTopicRights(ask: Ask, caller: Caller, topic: string): Promise<TopicRights> {
  const now = new Date().toISOString();
  const messages = EXTENSIONS.map((extension) => ({
    id: crypto.randomUUID(),
    topic,
    extension,
    private: true,
    inserted_at: now,
    updated_at: now,
  }));
  const { readable, writable } = await permitted(ask, caller, topic, JSON.stringify(messages));
  const right = (position: number): { read: boolean; write: boolean } => ({
    read: readable.includes(position),
    write: writable.includes(position),
  });
  return { broadcast: right(1), presence: right(2) };
}

async function permitted(ask: Ask, caller: Caller, topic: string, messages: string): Promise<RightsRow> {
  try {
    const [row] = await ask(caller, (tx) => tx.last<RightsRow>(READ, [messages]), { topic });
    return row ?? { readable: [], writable: [] };
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.isOutage) throw error;
    return { readable: [], writable: [] };
  }
}
