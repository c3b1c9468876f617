import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { audit } from "../audit.ts";
import { sessionNotFound, type Member } from "../bearer.ts";
import { readBody, text } from "../body.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { json } from "../responses.ts";
import { hasVerifiedFactor, lockUser, type User } from "../users.ts";
import { isAbandoned, type Factor } from "./factor-of-path.ts";
import { requireEnrollable } from "./switches.ts";
import { createTotpKey } from "./totp.ts";

const bodySchema = z.object({ factor_type: text, friendly_name: text, issuer: text });
const factorType = z.enum(["totp", "phone", "webauthn"]);

/** `POST factors`: a new second factor, which counts once a code of it has been verified. */
export async function enrollFactor(call: Call, member: Member): Promise<Response> {
  const body = await readBody(call.request, bodySchema);
  const type = factorType.safeParse(body.factor_type);
  if (!type.success) throw validationFailed("factor_type needs to be totp, phone, or webauthn");
  requireEnrollable(call.auth, type.data);

  const { user } = member;
  const key = createTotpKey(body.issuer || new URL(call.auth.issuer).host, user.email || user.phone || user.id);
  const id = crypto.randomUUID();
  await call.auth.database.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    if (!current) throw sessionNotFound();
    requirePlace(call, member, await withoutAbandoned(tx, current), body.friendly_name);
    await tx.query(INSERT, [id, user.id, body.friendly_name, type.data, key.secret]);
    await audit(tx, call, "factor_in_progress", user, { factor_id: id, factor_type: type.data });
  });
  const totp = { qr_code: key.qrCode, secret: key.secret, uri: key.uri };
  return json({ id, type: type.data, friendly_name: body.friendly_name, totp });
}

const INSERT = `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
  values ($1, $2, $3, $4, 'unverified', $5, now(), now())`;

async function withoutAbandoned(tx: Transaction, user: User): Promise<User> {
  for (const { id } of user.factors.filter(isAbandoned)) await tx.query("delete from auth.mfa_factors where id = $1", [id]);
  return { ...user, factors: user.factors.filter((factor) => !isAbandoned(factor)) };
}

/** Says whether one more factor may join; who has a verified one must have used it for this. */
function requirePlace({ auth }: Call, { assurance }: Member, user: User, name: string): void {
  const isNamesake = ({ friendly_name: other }: Factor): boolean => (other ?? "") === name;
  if (user.factors.some(isNamesake))
    throw new AuthError(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
    );
  if (user.factors.length >= auth.settings.mfa.max_enrolled_factors)
    throw new AuthError(422, "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue");
  if (hasVerifiedFactor(user) && assurance !== "aal2")
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
}
