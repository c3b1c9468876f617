import { parseBody, type Payload } from "./body.ts";
import { RestError } from "../errors.ts";
import { chooseMedia, type Media } from "./media.ts";
import { parsePreferences, type Preferences } from "./preferences.ts";
import { parseQueryParameters, type QueryParameters } from "./parameters.ts";

type Method = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
export type Target = { kind: "root" } | { kind: "relation" | "function"; name: string };

/** A parsed request to `/rest/v1`, not yet compared with the schema. */
export interface RestRequest {
  method: Method;
  target: Target;
  schema: string;
  /** The schema for `Content-Profile`; null if only one is exposed and none was requested. */
  profile: string | null;
  parameters: QueryParameters;
  /** The `Range` header of a read; a `limit` of null means all rows from `offset` on. */
  range: { offset: number; limit: number | null } | null;
  preferences: Preferences;
  media: Media;
  payload: Payload | null;
}

/** The parts of an HTTP request that the REST API uses. */
export interface RawRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
  /** False with the secret key, which may send costly patterns and repeat columns. */
  limited: boolean;
}

/** The settings that parsing uses. */
export interface RequestSettings {
  schemas: readonly string[];
  plan_enabled: boolean;
}

export const BASE_PATH = "/rest/v1";
const METHODS: readonly Method[] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"];

/** Parses a request; the first stage, pure. Fails with a `RestError`. */
export function parseRequest(raw: RawRequest, settings: RequestSettings): RestRequest {
  const target = parseTarget(raw.url.pathname);
  const method = parseMethod(raw.method, target);
  const reads = method === "GET" || method === "HEAD";
  const requested = raw.headers.get(reads ? "accept-profile" : "content-profile");
  const schema = chooseSchema(requested, settings.schemas);
  const isFunction = target.kind === "function";
  const preferences = parsePreferences(raw.headers.get("prefer"));
  const media = chooseMedia(raw.headers.get("accept"), target.kind === "root" ? "root" : "relation", settings.plan_enabled);
  const parameters = parseQueryParameters(raw.url.searchParams, isFunction && reads);
  const anyKeys = parameters.columns !== null || method === "PATCH";
  const hasBody = method === "POST" || method === "PATCH" || method === "PUT";
  return {
    method,
    target,
    schema,
    profile: requested === null && settings.schemas.length === 1 ? null : schema,
    parameters,
    range: reads ? parseRange(raw.headers) : null,
    preferences,
    media,
    payload: hasBody ? parseBody(raw.body, raw.headers.get("content-type"), { anyJson: isFunction, anyKeys }) : null,
  };
}

function parseTarget(pathname: string): Target {
  const parts = pathname
    .slice(BASE_PATH.length + 1)
    .split("/")
    .map(decodePart);
  const [first = "", second, ...rest] = parts;
  if (rest.length === 0 && second === undefined) return first === "" ? { kind: "root" } : { kind: "relation", name: first };
  if (rest.length === 0 && first === "rpc" && second) return { kind: "function", name: second };
  throw invalidPath();
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw invalidPath();
    throw error;
  }
}

function invalidPath(): RestError {
  return new RestError(404, "PGRST125", "Invalid path specified in request URL");
}

function parseMethod(name: string, target: Target): Method {
  const method = METHODS.find((known) => known === name);
  if (!method || (target.kind === "root" && method !== "GET" && method !== "HEAD"))
    throw new RestError(405, "PGRST117", `Unsupported HTTP method: ${name}`);
  if (target.kind === "function" && method !== "GET" && method !== "HEAD" && method !== "POST")
    throw new RestError(405, "PGRST101", `Cannot use the ${method} method on RPC`);
  return method;
}

function chooseSchema(requested: string | null, exposed: readonly string[]): string {
  const schema = requested ?? exposed[0];
  if (schema !== undefined && exposed.includes(schema)) return schema;
  throw new RestError(406, "PGRST106", `Invalid schema: ${schema}`, {
    hint: `Only the following schemas are exposed: ${exposed.join(", ")}`,
  });
}

const RANGE = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/;

function parseRange(headers: Headers): RestRequest["range"] {
  const found = RANGE.exec(headers.get("range") ?? "");
  if (!found) return null;
  const offset = Number(found[1]);
  if (found[2] === undefined) return { offset, limit: null };
  const last = Number(found[2]);
  if (last >= offset) return { offset, limit: last - offset + 1 };
  throw new RestError(416, "PGRST103", "Requested range not satisfiable", {
    details: "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
  });
}
