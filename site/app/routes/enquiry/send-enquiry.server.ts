import { FunctionsHttpError } from "@supabase/supabase-js";
import type { Logger } from "pino";
import type { Supabase } from "../../supabase/supabase.server.ts";

interface Enquiry {
  name: string;
  reply_to: string;
  message: string;
  course_name: string | null;
}

/**
 * Stores an enquiry through the function send-enquiry, which counts the visitor's network. Tries twice. The same enquiry sent
 * again on the same day has the same id and is stored once.
 */
export async function sendEnquiry(supabase: Supabase, enquiry: Enquiry, log: Logger): Promise<"stored" | "rate_limited" | "not_stored"> {
  const body = { id: await idOf(enquiry, new Date()), ...enquiry };
  const first = await invoke(supabase, body, log);
  return first === "not_stored" ? invoke(supabase, body, log) : first;
}

/** A UUID made from the enquiry and the day. The page is cached and works without scripts, so it cannot contain a random one. */
async function idOf({ name, reply_to, message, course_name }: Enquiry, now: Date): Promise<string> {
  const text = JSON.stringify([now.toISOString().slice(0, 10), name, reply_to, message, course_name]);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).subarray(0, 16);
  // Version 8 and variant of RFC 9562: a UUID with content of our own.
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x80], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function invoke(supabase: Supabase, body: object, log: Logger): Promise<"stored" | "rate_limited" | "not_stored"> {
  const { error } = await supabase.functions.invoke("send-enquiry", { body: { ...body } });
  if (error === null) return "stored";
  const response: unknown = error instanceof FunctionsHttpError ? error.context : undefined;
  const status = response instanceof Response ? response.status : undefined;
  if (status === 429) return "rate_limited";
  log.error({ status }, "enquiry could not be stored");
  return "not_stored";
}
