import { z } from "zod";
import { parseDuration } from "../../config/duration.ts";
import { requireEmail, requirePhone } from "../accounts/addresses.ts";
import { flag, metadata, text } from "../body-fields.ts";
import { validationFailed } from "../errors.ts";
import { BCRYPT } from "../accounts/passwords.ts";

const optional = text.transform((value) => (value === "" ? undefined : value));

/** The fields an administrator may write, on a new account and on one that exists. */
export const userFields = z.object({
  email: optional.transform((email) => email && requireEmail(email)),
  phone: optional.transform((phone) => phone && requirePhone(phone)),
  password: optional,
  password_hash: optional.transform((hash) => hash && requireKnownHash(hash)),
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: optional,
  ban_duration: optional.transform((duration) => (duration === undefined ? undefined : banEnd(duration))),
});

/** Reads "none" or a duration as Go writes them ("24h", "1h30m"); returns when a ban from now ends, or null for none. */
function banEnd(duration: string): Date | null {
  if (duration === "none") return null;
  const ms = parseDuration(duration);
  if (ms === undefined) throw validationFailed(`invalid format for ban duration: ${JSON.stringify(duration)}`);
  return ms === 0 ? null : new Date(Date.now() + ms);
}

/** An encoded argon2 hash (the PHC string format). */
const ARGON2 = /^\$argon2(id|i|d)\$v=19\$m=\d{1,7},t=\d{1,2},p=\d{1,2}\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/;

function requireKnownHash(hash: string): string {
  if (!ARGON2.test(hash) && !BCRYPT.test(hash)) throw validationFailed("Unsupported password hash");
  return hash;
}
