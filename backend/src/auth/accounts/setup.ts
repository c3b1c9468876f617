import { z } from "zod";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { spendSetupToken } from "./first-account.ts";
import { tokenResponse } from "../tokens/token-response.ts";

const bodySchema = z.object({ token: text, email: text, password: text });

/** `POST setup`, an extension of ours: makes the first account with the token the server printed, and signs it in. */
export async function setup(call: Call): Promise<Response> {
  const { token, email, password } = await readJson(call.request, bodySchema);
  const grant = await spendSetupToken(call, token, { email, password });
  return tokenResponse(call.auth, grant);
}
