import type { RouterContextProvider } from "react-router";
import { logFailedRead } from "../supabase/log-failed-read.ts";
import { expiryContext, siteContext } from "./site-context.server.ts";

/**
 * Lets the page expire when the next scheduled post is due, because no write announces that (decision 019). Call it before reading posts: a post
 * that falls due between the two reads is then on the page.
 */
export async function expireAtNextPost(context: Readonly<RouterContextProvider>): Promise<void> {
  const { supabase, log } = context.get(siteContext);
  const { data, error } = await supabase.rpc("posts_expire_at");
  if (error) logFailedRead(log, error, "the time of the next post could not be read");
  context.get(expiryContext)(error ? new Date() : new Date(data));
}
