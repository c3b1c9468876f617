import { once } from "node:events";
import { connect } from "node:tls";
import { DAY_MS } from "site/app/time/durations.ts";
import { fail, type Finding, pass, reasonOf, warn } from "./finding.ts";

const LONGEST_MS = 10_000;
const RENEW_DAYS = 14;

/** The advice for a certificate that browsers refuse, by Node's code for the reason. */
const REPAIRS: Record<string, string> = {
  CERT_HAS_EXPIRED: "it has expired: renew it",
  CERT_NOT_YET_VALID: "it is not valid yet: check the clock of this machine",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed: get one from a public authority, such as Let's Encrypt",
  SELF_SIGNED_CERT_IN_CHAIN: "no public authority signed it: get one from a public authority, such as Let's Encrypt",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "no public authority signed it: get one from a public authority, such as Let's Encrypt",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server does not send the certificate of its authority: use the full chain",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another address: get one for this address",
};

/** Checks the certificate that a server sends: browsers must accept it, and for two weeks more. */
export async function checkCertificate(host: string, port: number): Promise<Finding> {
  const name = `The certificate of ${host}`;
  const socket = connect({ host, port, servername: host, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(LONGEST_MS) });
    if (!socket.authorized) {
      const { authorizationError: error } = socket;
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return fail(`Browsers refuse the certificate of ${host}: ${REPAIRS[code] ?? code}.`);
    }
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    return days >= RENEW_DAYS ? pass(`${name} is valid for ${days} more days.`) : warn(`${name} is valid for ${days} more days: renew it.`);
  } catch (error) {
    return fail(`${name} cannot be read (${reasonOf(error)}).`);
  } finally {
    socket.destroy();
  }
}
