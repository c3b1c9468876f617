import { z } from "zod";
import type { Transaction } from "../../../../db/database.ts";
import type { Call } from "../../../context.ts";
import { AuthError } from "../../../errors.ts";
import { findSsoProvider, type SsoProvider } from "../providers.ts";

const uuid = z.guid();

/** Finds the identity provider a path names. Fails with a 404. */
export async function providerOfPath({ params }: Call, tx: Transaction): Promise<SsoProvider> {
  const id = uuid.safeParse(params.provider);
  const provider = id.success ? await findSsoProvider(tx, id.data) : undefined;
  if (!provider) throw new AuthError(404, "sso_provider_not_found", "SSO Identity Provider not found");
  return provider;
}
