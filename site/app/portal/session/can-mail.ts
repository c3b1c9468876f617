import type { BrowserSupabase } from "../../supabase/supabase.client.ts";

/** Returns true if the site can send e-mail. */
export async function canMail(supabase: BrowserSupabase): Promise<boolean> {
  const { data } = await supabase.functions.invoke<{ mails?: boolean }>("staff", { method: "GET" });
  return data?.mails === true;
}
