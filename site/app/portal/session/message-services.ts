import type { BrowserSupabase } from "../../supabase/supabase.client.ts";

/** The services with which the site can send messages; false if the server did not respond. */
interface MessageServices {
  mails: boolean;
  texts: boolean;
}

/** Reads whether the site can send e-mail and text messages. */
export async function messageServices(supabase: BrowserSupabase): Promise<MessageServices> {
  const { data } = await supabase.functions.invoke<Partial<MessageServices>>("staff", { method: "GET" });
  return { mails: data?.mails === true, texts: data?.texts === true };
}

/** Returns true if the site can send e-mail. */
export async function canMail(supabase: BrowserSupabase): Promise<boolean> {
  return (await messageServices(supabase)).mails;
}
