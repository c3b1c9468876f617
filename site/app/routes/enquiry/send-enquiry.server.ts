import { FunctionsHttpError } from "@supabase/supabase-js";
import type { Logger } from "pino";
import type { Supabase } from "../../supabase/supabase.server.ts";

interface Enquiry {
  name: string;
  reply_to: string;
  message: string;
  course_name: string | null;
}

/** Stores an enquiry through the function send-enquiry, which counts the visitor's network. Tries twice under the same id. */
export async function sendEnquiry(supabase: Supabase, enquiry: Enquiry, log: Logger): Promise<"stored" | "rate_limited" | "not_stored"> {
  const body = { id: crypto.randomUUID(), ...enquiry };
  const first = await invoke(supabase, body, log);
  return first === "not_stored" ? invoke(supabase, body, log) : first;
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
