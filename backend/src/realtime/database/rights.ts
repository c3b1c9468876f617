import { asIdentity } from "../../db/as-identity.ts";
import { type Database, DatabaseError } from "../../db/database.ts";
import { CHECK_TIMEOUT_MS, NO_REQUEST, type Caller } from "./requests.ts";

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

// A policy sees the row that a message would be.
const READ = `select realtime.permitted('realtime.messages', 'r', $1::text::jsonb) as readable,
  realtime.permitted('realtime.messages', 'a', $1::text::jsonb) as writable`;

/** Asks the policies on `realtime.messages`. A policy that fails gives no rights. Fails if the database cannot be reached. */
export async function readTopicRights(database: Database, caller: Caller, topic: string): Promise<TopicRights> {
  const now = new Date().toISOString();
  const messages = EXTENSIONS.map((extension) => ({
    id: crypto.randomUUID(),
    topic,
    extension,
    private: true,
    inserted_at: now,
    updated_at: now,
  }));
  const { readable, writable } = await asTopicReader(database, caller, topic, READ, [JSON.stringify(messages)]);
  const right = (position: number): { read: boolean; write: boolean } => ({
    read: readable.includes(position),
    write: writable.includes(position),
  });
  return { broadcast: right(1), presence: right(2) };
}

async function asTopicReader(database: Database, caller: Caller, topic: string, text: string, values: string[]): Promise<RightsRow> {
  try {
    const [row] = await asIdentity(database, { ...caller, authenticated: true }, NO_REQUEST, (tx) => tx.last<RightsRow>(text, values), {
      readOnly: true,
      maxStatementMs: CHECK_TIMEOUT_MS,
      settings: [["realtime.topic", topic]],
    });
    return row ?? { readable: [], writable: [] };
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.isOutage) throw error;
    return { readable: [], writable: [] };
  }
}
