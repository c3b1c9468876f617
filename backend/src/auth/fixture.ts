import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import pino from "pino";
import type { z } from "zod";
import { authSchema } from "../config/auth.ts";
import { LOW_COST } from "../../test/password-cost.ts";
import type { Database, Row, SqlValue } from "../db/database.ts";
import { createIdentify } from "../identity.ts";
import { createJwtKeys, generateSigningKey, type JwtKeys } from "../jwt/jwt.ts";
import { createAuth, type Auth, type AuthOptions } from "./index.ts";

export const SITE_URL = "http://larkfell.example";
export const PUBLISHABLE_KEY = "sb_publishable_of-the-auth-tests";
export const SECRET_KEY = "sb_secret_of-the-auth-tests";
export const JWT_SECRET = "the shared secret of the auth tests, long enough";
export const PASSWORD = "a good long password";
export const SMS_SECRET = `v1,whsec_${Buffer.from("the text messages of the auth tests").toString("base64")}`;

interface SendOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  token?: string;
  /** Added to the publishable key; an empty value removes a header. */
  headers?: Record<string, string>;
  /** The client address; a new one for every request by default. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the response; empty without a body. */
  body: Record<string, unknown>;
}

/** An auth API with helpers for tests. */
export interface TestAuth extends Omit<Auth, "fetch"> {
  fetch(request: Request): Promise<Response>;
  jwt: JwtKeys;
  /** All log lines of the API. */
  logged: string[];
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Creates supabase-js for this API; every request has a new client address unless `from` is given. */
  client(key?: string, from?: string): SupabaseClient;
  /** Creates a confirmed account and signs it in. */
  signIn(email: string): Promise<Session>;
  sql(statement: string, values?: SqlValue[]): Promise<Row[]>;
}

/** Wraps a database and runs `interruption` before its `nth` transaction. */
export function interrupted(database: Database, nth: number, interruption: () => Promise<unknown>): Database {
  let transactions = 0;
  return {
    ...database,
    async transaction(work, options) {
      transactions += 1;
      if (transactions === nth) await interruption();
      return database.transaction(work, options);
    },
  };
}

/** The mail server and the SMS hook; none by default. */
type Messengers = Pick<AuthOptions, "mail" | "smsHook">;

const signingKey = await generateSigningKey();

/** Starts the auth API on a migrated database with the CLI's default settings, overridden by `settings`. */
export async function startAuth(
  database: Database,
  settings: z.input<typeof authSchema> = {},
  messengers: Messengers = {},
  limits: Pick<AuthOptions, "timeoutMs" | "privateNetworks" | "minimumMs"> = {},
): Promise<TestAuth> {
  const jwt = await createJwtKeys([signingKey], JWT_SECRET);
  const logged: string[] = [];
  let strangers = 0;
  const auth = createAuth({
    database,
    jwt,
    identify: createIdentify({ publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY }, jwt),
    config: { auth: authSchema.parse(settings) },
    siteUrl: SITE_URL,
    log: pino({ level: "trace" }, { write: (line) => void logged.push(line) }),
    ...messengers,
    minimumMs: 0,
    ...limits,
    passwordCost: LOW_COST,
  });

  /** Every request without an address comes from a new client, so that tests do not share rate limits. */
  function fetchFrom(from: string | undefined, request: Request): Promise<Response> {
    return auth.fetch(request, { clientAddress: from ?? `10.0.${(strangers >> 8) & 255}.${strangers++ & 255}` });
  }

  async function send(method: string, path: string, { body, token, headers, from }: SendOptions = {}): Promise<Answer> {
    const all = { apikey: PUBLISHABLE_KEY, authorization: token === undefined ? "" : `Bearer ${token}`, ...headers };
    const request = new Request(`${SITE_URL}/auth/v1${path}`, {
      method,
      headers: Object.entries(all).filter(([, value]) => value !== ""),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const response = await fetchFrom(from, request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }

  function client(key: string = PUBLISHABLE_KEY, from?: string): SupabaseClient {
    return createClient(SITE_URL, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: {
        fetch: (input, init) => fetchFrom(from, new Request(input, init)),
      },
    });
  }

  async function signIn(email: string): Promise<Session> {
    const made = await client(SECRET_KEY).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    if (made.error) throw made.error;
    const { data, error } = await client().auth.signInWithPassword({ email, password: PASSWORD });
    if (error) throw error;
    return data.session;
  }

  return {
    ...auth,
    fetch: (request) => fetchFrom(undefined, request),
    jwt,
    logged,
    send,
    client,
    signIn,
    sql: (statement, values) => database.transaction((tx) => tx.query(statement, values)),
  };
}

/** Fills the rate limits of a client as thirty requests of this moment would, each worth `seconds`; independent of the speed of the machine. */
export async function fillBuckets(api: TestAuth, client: string, seconds: number): Promise<void> {
  const full = "update auth.rate_limits set filled_until = now() + 30 * $2::float8 * interval '1 second' where client = $1";
  await api.sql(full, [client, seconds]);
}
