import { readFileSync } from "node:fs";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError } from "../database.ts";

/** A parsed `DATABASE_URL`. */
export interface ConnectionUrl {
  /** The hosts that may have the primary; at least one. */
  hosts: readonly DatabaseHost[];
  /** False behind a pooler that may give each transaction another server connection: `?prepare=false` or `?pgbouncer=true`. */
  prepare: boolean;
}

export interface DatabaseHost {
  /** The URL of one host, without the parameters that are parsed into the other properties. */
  url: string;
  ssl: false | "prefer" | ConnectionOptions;
}

// Other parameters are for libpq or other clients; some of them would change how `pg` connects.
const PASSED_ON = new Set(["application_name", "options"]);

/**
 * Reads a connection URL with libpq's list of hosts and TLS parameters: sslmode, sslrootcert, sslcert, sslkey. Fails with a
 * `DatabaseError`.
 */
export function readConnectionUrl(text: string): ConnectionUrl {
  const urls = urlsOfHosts(text).map((one) => new URL(one));
  const parameters = urls[0]?.searchParams;
  const prepare = parameters?.get("prepare") !== "false" && parameters?.get("pgbouncer") !== "true";
  return { hosts: urls.map(readHost), prepare };
}

const SEVERAL_HOSTS = /^(?<start>[a-z]+:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]*,[^/?#]*)(?<end>.*)$/s;

/** The connection URLs of the single hosts of `postgres://user:password@host:5432,other:5432/name`. */
export function urlsOfHosts(text: string): string[] {
  const { start = "", hosts, end = "" } = SEVERAL_HOSTS.exec(text)?.groups ?? {};
  return hosts === undefined ? [text] : hosts.split(",").map((host) => start + host + end);
}

function readHost(url: URL): DatabaseHost {
  const parameters = url.searchParams;
  const ssl = readTls(parameters, url.hostname.replace(/^\[|\]$/g, ""));
  url.search = new URLSearchParams([...parameters].filter(([name]) => PASSED_ON.has(name))).toString();
  return { url: url.href, ssl };
}

function readTls(parameters: URLSearchParams, host: string): DatabaseHost["ssl"] {
  const rootCertificate = parameters.get("sslrootcert");
  const mode = parameters.get("sslmode") ?? (rootCertificate === "system" ? "verify-full" : "prefer");
  const files = {
    ...(rootCertificate === null || rootCertificate === "system" ? {} : { ca: readCertificate("sslrootcert", rootCertificate) }),
    ...readFileOption("cert", parameters.get("sslcert")),
    ...readFileOption("key", parameters.get("sslkey")),
  };
  switch (mode) {
    case "disable":
      return false;
    case "allow":
    case "prefer":
      return "prefer";
    case "require":
      // As in libpq, a root certificate is checked even if the mode does not require it.
      return rootCertificate === null
        ? withFiles(files, { rejectUnauthorized: false })
        : withFiles(files, { checkServerIdentity: acceptAnyName });
    case "verify-ca":
      return withFiles(files, { checkServerIdentity: acceptAnyName });
    case "verify-full":
      // `pg` sets no server name for an IP address: Node would then accept a certificate for "localhost".
      return withFiles(files, { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) });
    default:
      throw unusable(`sslmode=${mode} is not one of disable, allow, prefer, require, verify-ca, verify-full`);
  }
}

function readFileOption(name: "cert" | "key", path: string | null): ConnectionOptions {
  return path === null ? {} : { [name]: readCertificate(`ssl${name}`, path) };
}

function readCertificate(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unusable(`${parameter}=${path} cannot be read: name an existing file`, error);
  }
}

function unusable(problem: string, cause?: unknown): DatabaseError {
  return new DatabaseError(`DATABASE_URL: ${problem}`, { code: SQLSTATE.unableToEstablishConnection, cause });
}

function withFiles(files: ConnectionOptions, options: ConnectionOptions): ConnectionOptions {
  return { ...files, ...options };
}

function acceptAnyName(): undefined {
  return undefined;
}
