import type { SupabaseClient } from "@supabase/supabase-js";
import { giveFactor } from "./factor.ts";
import type { Project } from "./project.ts";
import { sessionOf } from "./session.ts";

/** All kinds of callers. */
export const ROLES = [
  "a visitor",
  "an owner",
  "staff",
  "staff with a second factor, at aal2",
  "staff with a second factor, at aal1",
  "a trainer",
  "banned staff",
  "an account that was deleted",
  "an anonymous account",
  "staff who signed out",
  "the service",
] as const;
export type Role = (typeof ROLES)[number];

/** The callers with the rights of staff. */
export const STAFF: readonly Role[] = ["an owner", "staff", "staff with a second factor, at aal2"];

/** A client for each kind of caller. */
export async function clientsOf(project: Project): Promise<Record<Role, SupabaseClient>> {
  const { service, visitor, bearer, staff } = project;
  // The first account.
  const owner = await staff("owner@site.example");
  const withFactor = await staff("factor@site.example");
  await giveFactor(project, withFactor.id);
  const banned = await staff("banned@site.example");
  await service.auth.admin.updateUserById(banned.id, { ban_duration: "24h" });
  const deleted = await staff("deleted@site.example");
  await service.auth.admin.deleteUser(deleted.id);
  const anonymous = await staff("anonymous@site.example");
  const signedOut = await staff("signed-out@site.example");
  const { error } = await service.auth.admin.signOut(signedOut.accessToken, "global");
  if (error) throw error;
  return {
    "a visitor": visitor,
    "an owner": owner.client,
    "a trainer": (await staff("trainer@site.example", "trainer")).client,
    staff: (await staff("staff@site.example")).client,
    "staff with a second factor, at aal2": await bearer({
      sub: withFactor.id,
      role: "authenticated",
      aal: "aal2",
      session_id: sessionOf(withFactor.accessToken),
    }),
    "staff with a second factor, at aal1": withFactor.client,
    "banned staff": banned.client,
    "an account that was deleted": deleted.client,
    "an anonymous account": await bearer({
      sub: anonymous.id,
      role: "authenticated",
      aal: "aal1",
      is_anonymous: true,
      session_id: sessionOf(anonymous.accessToken),
    }),
    "staff who signed out": signedOut.client,
    "the service": service,
  };
}
