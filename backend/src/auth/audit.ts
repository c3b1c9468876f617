import type { Transaction } from "../db/database.ts";
import type { Call } from "./context.ts";
import { INSTANCE } from "./accounts/user-changes.ts";
import type { User } from "./accounts/users.ts";

/** The recorded actions with their log type in a hosted project. */
const KINDS = {
  login: "account",
  login_failed: "account",
  logout: "account",
  user_signedup: "team",
  user_invited: "team",
  user_verified: "user",
  link_generated: "team",
  user_recovery_requested: "user",
  user_confirmation_requested: "user",
  user_reauthenticate_requested: "user",
  user_modified: "user",
  user_updated_password: "user",
  user_deleted: "team",
  token_refreshed: "token",
  token_revoked: "token",
  identity_unlinked: "user",
  sso_provider_created: "sso",
  sso_provider_modified: "sso",
  sso_provider_deleted: "sso",
  factor_in_progress: "factor",
  challenge_created: "factor",
  verification_attempted: "factor",
  factor_unenrolled: "factor",
  factor_deleted: "factor",
} as const;

type AuditAction = keyof typeof KINDS;

/** The actor: an account, the secret key or the server itself, or an unknown person. */
type Actor = Pick<User, "id" | "email" | "phone" | "is_sso_user"> | "service_role" | "unknown";

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The statement that writes the entries of `entryValues`, its first parameters; it may be part of a larger one. */
export const INSERT_ENTRIES = `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select $1, gen_random_uuid(), entry, now(), $3 from json_array_elements($2::text::json) as entry`;

/** Returns the parameters `$1` to `$3`, of which `$1` is the instance: an entry for each action, as `audit` writes it. */
export function entryValues(
  { address }: Pick<Call, "address">,
  actions: AuditAction | readonly AuditAction[],
  actor: Actor,
  traits: Record<string, string | null> = {},
): [instance: string, entries: string, address: string] {
  const described = describe(actor);
  const entries = [actions].flat().map((action) => Object.assign({ action, log_type: KINDS[action], traits }, described));
  return [INSTANCE, JSON.stringify(entries), address.slice(0, 64)];
}

/** Writes an entry of the audit log for each action; `traits` describe their object and contain no secret. */
export async function audit(tx: Transaction, ...entries: Parameters<typeof entryValues>): Promise<void> {
  await tx.query(INSERT_ENTRIES, entryValues(...entries));
}

function describe(actor: Actor): Record<string, unknown> {
  if (typeof actor === "string") return { actor_id: NOBODY, actor_username: actor, actor_via_sso: false };
  return { actor_id: actor.id, actor_username: actor.email ?? actor.phone ?? "", actor_via_sso: actor.is_sso_user };
}
