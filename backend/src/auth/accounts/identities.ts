import type { Transaction } from "../../db/database.ts";
import type { ExternalProfile } from "../external/profile.ts";

type IdentityKey = Pick<ExternalProfile, "provider" | "subject">;

/** Returns the id of the account that an identity belongs to. */
export async function ownerOfIdentity(tx: Transaction, { provider, subject }: IdentityKey): Promise<string | undefined> {
  const [row] = await tx.query<{ user_id: string }>("select user_id from auth.identities where provider = $1 and provider_id = $2", [
    provider,
    subject,
  ]);
  return row?.user_id;
}

/** Locks an identity, existing or not, until the transaction ends. */
export async function lockIdentity(tx: Transaction, { provider, subject }: IdentityKey): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`identity ${provider} ${subject}`]);
}

const SAVE = `insert into auth.identities (provider_id, user_id, provider, identity_data, last_sign_in_at, created_at, updated_at)
  values ($1, $2, $3, $4::text::jsonb, now(), now(), now())
  on conflict (provider_id, provider) do update
    set identity_data = excluded.identity_data, last_sign_in_at = now(), updated_at = now()`;

/** Adds an identity to an account, or updates it, with the metadata of the account. */
export async function saveIdentity(tx: Transaction, userId: string, { provider, subject, data }: ExternalProfile): Promise<void> {
  await tx.query(SAVE, [subject, userId, provider, JSON.stringify(data)]);
  await describeIdentities(tx, userId, data);
}

const LIST = `update auth.users u set updated_at = now(),
    raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || $2::text::jsonb,
    raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || (
      select case when count(*) = 0 then '{}' else jsonb_build_object(
          'provider', case when bool_or(p.provider = u.raw_app_meta_data ->> 'provider')
            then u.raw_app_meta_data ->> 'provider' else (array_agg(p.provider order by p.since))[1] end,
          'providers', jsonb_agg(p.provider order by p.since)) end
      from (select provider, min(created_at) as since from auth.identities where user_id = u.id group by provider) p)
  where u.id = $1`;

/** Writes the list of identity providers, and the data of the identity just used, into the account's metadata. */
export async function describeIdentities(tx: Transaction, userId: string, data: Record<string, unknown> = {}): Promise<void> {
  await tx.query(LIST, [userId, JSON.stringify(data)]);
}
