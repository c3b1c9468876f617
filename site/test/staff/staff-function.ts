import { FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";

/** A response of the staff function. */
interface StaffAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls the staff function through supabase-js, from a page of the site. */
export async function ask(client: SupabaseClient, body: Record<string, unknown>, origin?: string): Promise<StaffAnswer> {
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
export function proofOf(link: unknown): { page: string; token_hash: string; type: "invite" | "recovery" } {
  if (typeof link !== "string") throw new Error("no link");
  const { origin, pathname, hash } = new URL(link);
  const proof = new URLSearchParams(hash.slice(1));
  const type = proof.get("type");
  if (type !== "invite" && type !== "recovery") throw new Error(`a link of type ${type}`);
  return { page: origin + pathname, token_hash: proof.get("token_hash") ?? "", type };
}
