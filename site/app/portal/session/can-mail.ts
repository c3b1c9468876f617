import type { BrowserSupabase } from "../../supabase/supabase.client.ts";

/** Whether this site can mail anything. */
export async function canMail(supabase: BrowserSupabase): Promise<boolean> {
  const { data } = await supabase.functions.invoke<{ mails?: boolean }>("staff", { method: "GET" });
  return data?.mails === true;
}
