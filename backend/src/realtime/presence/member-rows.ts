import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import type { Member } from "./members.ts";

/** A topic, public or private. */
export interface MemberTopic {
  topic: string;
  isPrivate: boolean;
}

export interface TopicMember extends MemberTopic {
  member: Member;
}

/** Rows that were not renewed for this long do not count: their process has ended. Others notice within 5 s more, before a heartbeat (25 s). */
const LEASE = "interval '15 seconds'";

const READ = `select id::text, key, payload::text, meta::text from realtime.members
  where topic = $1 and private = $2 and process <> $3::text::uuid and seen_at > now() - ${LEASE}`;
const WRITE = `insert into realtime.members (process, id, topic, private, key, payload, meta)
  select $1::text::uuid, id, topic, private, key, payload::json, meta::json
  from jsonb_to_recordset($2::text::jsonb) as given (id uuid, topic text, private boolean, key text, payload text, meta text)
  on conflict (id) do update set payload = excluded.payload, meta = excluded.meta, seen_at = now()`;
const REMOVE = "delete from realtime.members where id in (select jsonb_array_elements_text($1::text::jsonb)::uuid)";
const RENEW = "update realtime.members set seen_at = now() where process = $1::text::uuid returning id::text";
const REMOVE_EXPIRED = `delete from realtime.members where seen_at < now() - ${LEASE} returning topic, private as "isPrivate"`;
const REMOVE_OWN = `delete from realtime.members where process = $1::text::uuid returning topic, private as "isPrivate"`;

const payloadSchema = z.record(z.string(), z.unknown());
const metaSchema = z.looseObject({ phx_ref: z.string() });

type MemberRow = { id: string; key: string; payload: string; meta: string };
type TopicRow = { topic: string; isPrivate: boolean };

/** Reads the members of a topic that other processes than `process` have. */
export async function readMembers(tx: Transaction, { topic, isPrivate }: MemberTopic, process: string): Promise<Map<string, Member>> {
  const rows = await tx.last<MemberRow>(READ, [topic, isPrivate, process]);
  return new Map(rows.map((row) => [row.id, parse(row)]));
}

/** Adds or updates members of a process. Objects are passed as texts: SQL cannot read NUL or half a surrogate pair in JSON. */
export async function writeMembers(tx: Transaction, process: string, members: readonly TopicMember[]): Promise<void> {
  const rows = members.map(({ topic, isPrivate, member: { id, key, payload, meta } }) => ({
    id,
    topic: topic.toWellFormed(),
    private: isPrivate,
    key: key.toWellFormed(),
    payload: JSON.stringify(payload),
    meta: JSON.stringify(meta),
  }));
  if (rows.length > 0) await tx.query(WRITE, [process, JSON.stringify(rows)]);
}

/** Removes members by their ids. */
export async function removeMembers(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(REMOVE, [JSON.stringify(ids)]);
}

/** Renews the lease of the members of a process; returns their ids. */
export async function renewMembers(tx: Transaction, process: string): Promise<ReadonlySet<string>> {
  return new Set((await tx.query<{ id: string }>(RENEW, [process])).map(({ id }) => id));
}

/** Removes the members whose lease has expired; returns their topics. */
export function removeExpiredMembers(tx: Transaction): Promise<MemberTopic[]> {
  return tx.query<TopicRow>(REMOVE_EXPIRED);
}

/** Removes the members of a process; returns their topics. */
export function removeOwnMembers(tx: Transaction, process: string): Promise<MemberTopic[]> {
  return tx.query<TopicRow>(REMOVE_OWN, [process]);
}

function parse({ id, key, payload, meta }: MemberRow): Member {
  return { id, key, payload: payloadSchema.parse(JSON.parse(payload)), meta: metaSchema.parse(JSON.parse(meta)) };
}
