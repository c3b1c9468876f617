import type { Logger } from "pino";
import { createServerClient, type SupabaseOptions } from "../supabase/supabase.server.ts";

/** Has the office written to about enquiries it was not written about yet; a failure is only logged, and the letter waits. */
export async function mailEnquiries(supabase: SupabaseOptions, log: Logger): Promise<void> {
  const client = createServerClient(supabase, { tables: new Set(), failed: false });
  const { error } = await client.functions.invoke("mail-enquiries", { method: "POST" });
  if (error) log.warn({ err: error }, "the office could not be written to about enquiries");
}
