import type { Project } from "./project.ts";

/** Gives an account a second factor in SQL, without the auth service. */
export async function giveFactor({ database }: Project, userId: string): Promise<void> {
  await database.transaction((tx) =>
    tx.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, friendly_name, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', gen_random_uuid()::text, now(), now())`,
      [userId],
    ),
  );
}
