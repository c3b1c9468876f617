import type { Call } from "./context.ts";
import { json } from "./responses.ts";

/** `GET health`: says that this process answers, under the name clients look for. */
export async function health(_call: Call): Promise<Response> {
  return json({ version: "v2", name: "GoTrue", description: "Larkfell's auth, speaking the wire of a hosted Supabase project" });
}
