import type { Call } from "../../../context.ts";
import { json } from "../../../responses.ts";
import { listSsoProviders, ssoProviderJson } from "../providers.ts";

/** `GET admin/sso/providers`. */
export async function getProviders({ auth }: Call): Promise<Response> {
  const providers = await auth.database.transaction(listSsoProviders, { readOnly: true });
  return json({ items: providers.map(ssoProviderJson) });
}
