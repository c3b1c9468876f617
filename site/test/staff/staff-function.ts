import { FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import type { Project } from "../support/project.ts";

/** A response of the staff function. */
interface StaffAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls the staff function through supabase-js, from a page of the site. */
export async function callStaff(client: SupabaseClient, body: Record<string, unknown>, origin?: string): Promise<StaffAnswer> {
  const { data, error } = await client.functions.invoke<Record<string, unknown>>("staff", {
    body,
    headers: origin === undefined ? {} : { Origin: origin },
  });
  if (error === null) return { status: 200, body: data ?? {} };
  if (!(error instanceof FunctionsHttpError)) throw error;
  const response: unknown = error.context;
  if (!(response instanceof Response)) throw error;
  const refusal: Record<string, unknown> = await response.json();
  return { status: response.status, body: refusal };
}

/** The token of a link, as the linked page reads it. */
export function tokenOf(link: unknown): { page: string; token_hash: string; type: "invite" | "recovery" } {
  if (typeof link !== "string") throw new Error("no link");
  const { origin, pathname, hash } = new URL(link);
  const linkToken = new URLSearchParams(hash.slice(1));
  const type = linkToken.get("type");
  if (type !== "invite" && type !== "recovery") throw new Error(`a link of type ${type}`);
  return { page: origin + pathname, token_hash: linkToken.get("token_hash") ?? "", type };
}

/** The response to a member of the office who uses a command of owners. */
export const NOT_ALLOWED = { status: 403, body: { error: "not_allowed", message: "Your role does not allow this. Ask an owner." } };

/** The role of each account, by e-mail address. */
export async function rolesByEmail(staff: SupabaseClient): Promise<Record<string, string>> {
  const { data } = await staff.rpc("list_staff");
  return Object.fromEntries(data.map(({ email, role }: { email: string; role: string }) => [email, role]));
}

/** Opens a link and chooses a password, by default that of the project's accounts. */
export async function choosePassword({ visitor, password }: Project, link: unknown, chosen = password): Promise<void> {
  const { page: _page, ...linkToken } = tokenOf(link);
  expect((await visitor.auth.verifyOtp(linkToken)).error).toBeNull();
  expect((await visitor.auth.updateUser({ password: chosen })).error).toBeNull();
  await visitor.auth.signOut({ scope: "local" });
}
