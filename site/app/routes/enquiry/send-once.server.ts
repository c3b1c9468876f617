import { FunctionsHttpError } from "@supabase/supabase-js";
import type { Logger } from "pino";
import type { Supabase } from "../../supabase/supabase.server.ts";

/** The id of a stored form and the body of the response; or the reason why it was not stored. */
type Sent = { id: string; body: unknown } | "rate_limited" | "not_stored";

/**
 * Stores a form through an edge function, which counts the visitor's network. Tries twice. The same form sent again on the same day
 * has the same id and is stored once.
 */
export async function sendOnce(
  supabase: Supabase,
  functionName: "send-enquiry" | "request-place",
  values: Readonly<Record<string, string | number | null>>,
  log: Logger,
): Promise<Sent> {
  const form = { id: await idOf(values, new Date()), ...values };
  const first = await invoke(supabase, functionName, form, log);
  return first === "not_stored" ? invoke(supabase, functionName, form, log) : first;
}

/** A UUID made from the values and the day. The form works without scripts and its page may be cached, so it cannot contain a random one. */
async function idOf(values: Readonly<Record<string, string | number | null>>, now: Date): Promise<string> {
  const text = JSON.stringify([now.toISOString().slice(0, 10), ...Object.entries(values)]);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).subarray(0, 16);
  // Version 8 and variant of RFC 9562: a UUID with content of our own.
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x80], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function invoke(supabase: Supabase, functionName: string, form: { id: string }, log: Logger): Promise<Sent> {
  const { data, error } = await supabase.functions.invoke<unknown>(functionName, { body: { ...form } });
  if (error === null) return { id: form.id, body: data };
  const response: unknown = error instanceof FunctionsHttpError ? error.context : undefined;
  const status = response instanceof Response ? response.status : undefined;
  if (status === 429) return "rate_limited";
  log.error({ status, functionName }, "a visitor's form could not be stored");
  return "not_stored";
}
