import { Secret, TOTP } from "otpauth";
import { encodeQR } from "qr";

/** The key of an authenticator app in three forms. */
export interface TotpKey {
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
  const rows = encodeQR(content, "raw", { border: 4 });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark && row[x - 1] !== true ? [`M${x} ${y}h${lengthOfRun(row, x)}v1H${x}z`] : [])),
  );
  const size = rows.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="white" d="M0 0h${size}v${size}H0z"/><path d="${runs.join("")}"/></svg>`;
}

function lengthOfRun(row: readonly boolean[], start: number): number {
  const end = row.indexOf(false, start);
  return (end === -1 ? row.length : end) - start;
}
