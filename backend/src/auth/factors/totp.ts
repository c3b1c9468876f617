import { Secret, TOTP } from "otpauth";
import { encodeQR } from "qr";

/** The key of an authenticator app in three forms. */
interface TotpKey {
  /** Base32. */
  secret: string;
  /** An `otpauth:` URI. */
  uri: string;
  /** The URI as an SVG document. */
  qrCode: string;
}

// The parameters that every authenticator app supports (RFC 6238).
const PARAMETERS = { algorithm: "SHA1", digits: 6, period: 30 };
const SKEW_STEPS = 1;

/** Creates a key; the app shows the issuer and the account as its label. */
export function createTotpKey(issuer: string, account: string): TotpKey {
  const totp = new TOTP({ ...PARAMETERS, issuer, label: account, secret: new Secret({ size: 20 }) });
  const uri = totp.toString();
  return { secret: totp.secret.base32, uri, qrCode: drawQr(uri) };
}

/** Returns the time step of a code, at most one step early or late; null for a wrong code. */
export function stepOfCode(secret: string, code: string): number | null {
  const timestamp = Date.now();
  const delta = TOTP.validate({ ...PARAMETERS, token: code, secret: Secret.fromBase32(secret), timestamp, window: SKEW_STEPS });
  return delta === null ? null : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}

/** Draws on white with a quiet zone of four modules, so that a dark page does not disturb the scan (ISO/IEC 18004). */
function drawQr(content: string): string {
  return encodeQR(content, "svg", { border: 4 }).replace("<path", '<path fill="white" d="M0 0h999v999H0z"/><path');
}
