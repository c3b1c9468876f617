import type { SupabaseClient } from "@supabase/supabase-js";
import type { Project } from "./project.ts";

/** Everybody who may come. */
export const ROLES = [
  "a visitor",
  "staff",
  "staff with a second factor, at aal2",
  "staff with a second factor, at aal1",
  "banned staff",
  "an account that was deleted",
  "an anonymous account",
  "the service",
] as const;
export type Role = (typeof ROLES)[number];

/** Those of them who are staff, at their level. */
export const STAFF: readonly Role[] = ["staff", "staff with a second factor, at aal2"];

/** A client for each of them. */
export async function clientsOf({ database, service, visitor, bearer, staff }: Project): Promise<Record<Role, SupabaseClient>> {
  const withFactor = await staff("factor@site.example");
  await database.transaction((tx) =>
    tx.query(
      "insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())",
      [withFactor.id],
    ),
  );
  const banned = await staff("banned@site.example");
  await service.auth.admin.updateUserById(banned.id, { ban_duration: "24h" });
  const deleted = await staff("deleted@site.example");
  await service.auth.admin.deleteUser(deleted.id);
  const anonymous = await staff("anonymous@site.example");
  return {
    "a visitor": visitor,
    staff: (await staff("staff@site.example")).client,
    "staff with a second factor, at aal2": await bearer({ sub: withFactor.id, role: "authenticated", aal: "aal2" }),
    "staff with a second factor, at aal1": withFactor.client,
    "banned staff": banned.client,
    "an account that was deleted": deleted.client,
    "an anonymous account": await bearer({ sub: anonymous.id, role: "authenticated", aal: "aal1", is_anonymous: true }),
    "the service": service,
  };
}
