import { audit } from "../../../audit.ts";
import type { Call } from "../../../context.ts";
import { json } from "../../../responses.ts";
import { ssoProviderJson } from "../providers.ts";
import { providerOfPath } from "./provider-of-path.ts";

/** `DELETE admin/sso/providers/{id}`; accounts that signed in by it stay, without a way in. */
export async function deleteProvider(call: Call): Promise<Response> {
  const deleted = await call.auth.database.transaction(async (tx) => {
    const provider = await providerOfPath(call, tx);
    await tx.query("delete from auth.sso_providers where id = $1", [provider.id]);
    await audit(tx, call, "sso_provider_deleted", "service_role", { sso_provider: provider.id, entity_id: provider.entity_id });
    return provider;
  });
  return json(ssoProviderJson(deleted));
}
