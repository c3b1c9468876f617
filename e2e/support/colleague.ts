import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { clientOf } from "./portal.ts";

/** A client that is signed in as a colleague, whom the account of the fixture invites. */
export async function invitedColleague(page: Page, staff: SupabaseClient): Promise<SupabaseClient> {
  const { data: invited } = await staff.functions.invoke<{ link: string }>("staff", {
    body: { act: "invite", email: "ada@larkfell-training.example", by_hand: true },
  });
  const token_hash = new URLSearchParams(new URL(invited?.link ?? "").hash.slice(1)).get("token_hash") ?? "";
  const colleague = await clientOf(page, false);
  expect((await colleague.auth.verifyOtp({ type: "invite", token_hash })).error).toBeNull();
  return colleague;
}
