import type { Logger } from "pino";
import { createServerClient, type SupabaseOptions } from "../supabase/supabase.server.ts";

/** Sends the mails about enquiries and failed backups, and the letters that are due; a failure is logged, and the next call tries again. */
export async function sendMail(supabase: SupabaseOptions, log: Logger): Promise<void> {
  const client = createServerClient(supabase, { relations: new Set(), failed: false });
  for (const name of ["mail-enquiries", "send-letters", "mail-backups"]) {
    const { error } = await client.functions.invoke(name, { method: "POST" });
    if (error) log.warn({ err: error, function: name }, "mails could not be sent");
  }
}
