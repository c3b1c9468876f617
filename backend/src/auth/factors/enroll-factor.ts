import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { requirePhone } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import { lockCaller, type Member } from "../bearer.ts";
import { readJson } from "../../body/read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { json } from "../responses.ts";
import { hasVerifiedFactor, type User } from "../accounts/users.ts";
import { type Factor, isAbandoned, requireEnrollable } from "./factors.ts";
import { createTotpKey } from "./totp.ts";

const bodySchema = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
const MAX_ISSUER_LENGTH = 500;
const factorType = z.enum(["totp", "phone", "webauthn"]);

/** `POST factors`: enrols a second factor, which takes effect after the first verified code. */
export async function enrollFactor(call: Call, member: Member): Promise<Response> {
  const body = await readJson(call.request, bodySchema);
  const type = factorType.safeParse(body.factor_type);
  if (!type.success) throw validationFailed("factor_type needs to be totp, phone, or webauthn");
  requireEnrollable(call.auth, type.data);
  const name = body.friendly_name;
  if (type.data === "phone") {
    if (body.phone === "") throw validationFailed("Phone number required to enroll Phone factor");
    const phone = requirePhone(body.phone);
    const id = await addFactor(call, member, { name, phone, secret: null });
    return json({ id, type: "phone", friendly_name: name, phone });
  }
  const { user } = member;
  const issuer = body.issuer.toWellFormed() || new URL(call.auth.redirects.siteUrl).host;
  // The QR code contains the issuer twice and an address, and has room for 2,000 characters.
  if (encodeURIComponent(issuer).length > MAX_ISSUER_LENGTH) throw validationFailed("issuer is too long");
  const { qrCode, secret, uri } = createTotpKey(issuer, user.email || user.phone || user.id);
  const id = await addFactor(call, member, { name, phone: null, secret });
  return json({ id, type: "totp", friendly_name: name, totp: { qr_code: qrCode, secret, uri } });
}

interface NewFactor {
  name: string;
  phone: string | null;
  secret: string | null;
}

const INSERT = `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
  values ($1, $2, $3, $4, 'unverified', $5, $6, now(), now())`;

async function addFactor(call: Call, member: Member, { name, phone, secret }: NewFactor): Promise<string> {
  const type = phone === null ? "totp" : "phone";
  const id = crypto.randomUUID();
  await call.auth.database.transaction(async (tx) => {
    const user = await lockCaller(tx, member);
    const remaining = await removeReplaced(tx, user, phone);
    requireAllowed(call, member, { ...user, factors: remaining }, name);
    await tx.query(INSERT, [id, user.id, name, type, secret, phone]);
    await audit(tx, call, "factor_in_progress", user, { factor_id: id, factor_type: type });
  });
  return id;
}

/** Removes abandoned enrolments and those of the same phone number; returns the remaining factors. */
async function removeReplaced(tx: Transaction, { factors }: User, phone: string | null): Promise<Factor[]> {
  const same = factors.filter((factor) => phone !== null && factor.phone === phone);
  if (same.some(({ status }) => status === "verified"))
    throw new AuthError(
      422,
      "mfa_verified_factor_exists",
      "A verified phone factor already exists, unenroll the existing factor to continue",
    );
  const removed = factors.filter((factor) => isAbandoned(factor) || same.includes(factor));
  for (const { id } of removed) await tx.query("delete from auth.mfa_factors where id = $1", [id]);
  return factors.filter((factor) => !removed.includes(factor));
}

/** Fails if the name is in use, the limit is reached, or a verified factor exists and the session is not at aal2. */
function requireAllowed({ auth }: Call, { assurance }: Member, user: User, name: string): void {
  if (user.factors.some(({ friendly_name: other }) => (other ?? "") === name))
    throw new AuthError(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
    );
  if (user.factors.length >= auth.settings.mfa.max_enrolled_factors)
    throw new AuthError(422, "too_many_enrolled_mfa_factors", "Maximum number of verified factors reached, unenroll to continue");
  if (hasVerifiedFactor(user) && assurance !== "aal2") throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
}
