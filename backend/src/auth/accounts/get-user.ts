import type { Caller } from "../bearer.ts";
import type { Call } from "../context.ts";
import { json } from "../responses.ts";
import { userJson } from "./user-json.ts";

/** `GET user`: the caller's own account. */
export async function getUser(_call: Call, { user }: Caller): Promise<Response> {
  return json(userJson(user));
}
