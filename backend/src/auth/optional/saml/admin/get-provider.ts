import type { Call } from "../../../context.ts";
import { json } from "../../../responses.ts";
import { ssoProviderJson } from "../providers.ts";
import { providerOfPath } from "./provider-of-path.ts";

/** `GET admin/sso/providers/{id}`. */
export async function getProvider(call: Call): Promise<Response> {
  return json(ssoProviderJson(await call.auth.database.transaction((tx) => providerOfPath(call, tx), { readOnly: true })));
}
