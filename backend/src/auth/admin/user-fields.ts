import { z } from "zod";
import { requireEmail, requirePhone } from "../addresses.ts";
import { flag, metadata, text } from "../body.ts";
import { validationFailed } from "../errors.ts";

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

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go's range of durations, about 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

/** Reads "none" or a duration as Go writes them ("24h", "1h30m"); returns when a ban from now ends, or null for none. */
function banEnd(duration: string): Date | null {
  if (duration === "none") return null;
  const [, sign, parts] = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(duration) ?? [];
  const ms = [...(parts ?? "").matchAll(/([\d.]+)(\D+)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ""] ?? 0),
    0,
  );
  if (parts === undefined || ms > LONGEST_MS) throw validationFailed(`invalid format for ban duration: ${JSON.stringify(duration)}`);
  if (ms === 0) return null;
  return new Date(Date.now() + (sign === "-" ? -ms : ms));
}

/** An encoded argon2 hash (the PHC string format). */
const ARGON2 = /^\$argon2(id|i|d)\$v=19\$m=\d{1,7},t=\d{1,2},p=\d{1,2}\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/;

function requireKnownHash(hash: string): string {
  if (!ARGON2.test(hash)) throw validationFailed("Unsupported password hash");
  return hash;
}
