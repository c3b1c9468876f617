import { readFileSync } from "node:fs";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";

/** What a `DATABASE_URL` says, in the form `postgres` takes it. */
export interface ConnectionUrl {
  /** The URL without the parameters read here. */
  url: string;
  ssl: false | "prefer" | "require" | ConnectionOptions;
  /** False behind a pooler that gives each transaction another server connection: `?prepare=false` or `?pgbouncer=true`. */
  prepare: boolean;
}

// The rest are libpq's or other clients' own; `postgres` would hand them to the server, which refuses what it does not know.
const PASSED_ON = new Set(["application_name", "connect_timeout", "options", "target_session_attrs"]);

/** Reads a connection URL with libpq's TLS parameters: sslmode, sslrootcert, sslcert, sslkey. */
export function readConnectionUrl(text: string): ConnectionUrl {
  const url = new URL(text);
  const parameters = url.searchParams;
  const ssl = readTls(parameters, url.hostname.replace(/^\[|\]$/g, ""));
  const prepare = parameters.get("prepare") !== "false" && parameters.get("pgbouncer") !== "true";
  url.search = new URLSearchParams([...parameters].filter(([name]) => PASSED_ON.has(name))).toString();
  return { url: url.href, ssl, prepare };
}

function readTls(parameters: URLSearchParams, host: string): ConnectionUrl["ssl"] {
  const rootCertificate = parameters.get("sslrootcert");
  const mode = parameters.get("sslmode") ?? (rootCertificate === "system" ? "verify-full" : "prefer");
  const files = {
    ...(rootCertificate === null || rootCertificate === "system" ? {} : { ca: readFileSync(rootCertificate) }),
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
      // As in libpq, a given root certificate is checked even where the mode alone would not ask for it.
      return rootCertificate === null
        ? withFiles(files, { rejectUnauthorized: false })
        : withFiles(files, { checkServerIdentity: anyName });
    case "verify-ca":
      return withFiles(files, { checkServerIdentity: anyName });
    case "verify-full":
      // `postgres` names no server whose address is given: Node would then take a certificate for "localhost".
      return withFiles(files, { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) });
    default:
      throw new TypeError(`sslmode=${mode} is not one of disable, allow, prefer, require, verify-ca, verify-full`);
  }
}

function readFileOption(name: "cert" | "key", path: string | null): ConnectionOptions {
  return path === null ? {} : { [name]: readFileSync(path) };
}

function withFiles(files: ConnectionOptions, options: ConnectionOptions): ConnectionOptions {
  return { ...files, ...options };
}

function anyName(): undefined {
  return undefined;
}
