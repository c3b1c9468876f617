import type { Logger } from "pino";
import { createServerClient, type SupabaseOptions } from "../supabase/supabase.server.ts";

/** Mails the enquiries that the office was not notified of yet; a failure is logged, and the next call tries again. */
export async function mailEnquiries(supabase: SupabaseOptions, log: Logger): Promise<void> {
  const client = createServerClient(supabase, { relations: new Set(), failed: false });
  const { error } = await client.functions.invoke("mail-enquiries", { method: "POST" });
  if (error) log.warn({ err: error }, "the office could not be notified of enquiries");
}
