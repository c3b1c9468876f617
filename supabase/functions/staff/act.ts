import type { AuthError, SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../database.types.ts";
import { handOverLink, mailLink, type Delivery } from "./links.ts";
import type { Wish } from "./wish.ts";

/** What doing it takes: the service's own client, and where links lead. */
export interface Means {
  service: SupabaseClient<Database>;
  /** The page on which a password is chosen; the auth service's own choice where the caller's site is not known. */
  passwordPage: string | undefined;
  /** Whether mail leaves at all. */
  mails: boolean;
}

/** What came of it: what the caller has to be given besides, or why the auth service did not do it. */
export type Done = { ok: true; delivery?: Delivery } | { ok: false; error: AuthError };

/** A century, as the auth service writes durations: until somebody lifts it. */
const FOR_GOOD = "876000h";

/** Does what was asked for; the database has said by then that it may be done. */
export async function carryOut(wish: Wish, means: Means): Promise<Done> {
  const { admin } = means.service.auth;
  switch (wish.act) {
    case "invite":
    case "link":
      return means.mails && !wish.by_hand ? mailLink(wish, means) : handOverLink(wish, means);
    case "disable":
      return outcome(await admin.updateUserById(wish.member_id, { ban_duration: FOR_GOOD }));
    case "enable":
      return outcome(await admin.updateUserById(wish.member_id, { ban_duration: "none" }));
    case "remove_factor":
      return removeFactors(wish.member_id, means);
    case "remove":
      return outcome(await admin.deleteUser(wish.member_id));
  }
}

async function removeFactors(userId: string, { service }: Means): Promise<Done> {
  const { mfa } = service.auth.admin;
  const listed = await mfa.listFactors({ userId });
  if (listed.error) return { ok: false, error: listed.error };
  for (const { id } of listed.data.factors) {
    const { error } = await mfa.deleteFactor({ id, userId });
    if (error) return { ok: false, error };
  }
  return { ok: true };
}

function outcome({ error }: { error: AuthError | null }): Done {
  return error ? { ok: false, error } : { ok: true };
}
