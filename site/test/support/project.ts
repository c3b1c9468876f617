import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createBackend, type Backend } from "backend";
import { testLog, type OpenDatabase } from "backend/test/database.ts";
import { LOW_COST } from "backend/test/password-cost.ts";
import { inject } from "vitest";
import type { Database as ServedDatabase } from "../../../backend/src/db/database.ts";
import { createJwtKeys, generateSigningKey } from "../../../backend/src/jwt/jwt.ts";

export const PROJECT_URL = "http://project.example";
export const PUBLISHABLE_KEY = "sb_publishable_test-0123456789abcdef";
export const SECRET_KEY = "sb_secret_test-0123456789abcdef";
const PASSWORD = "seven lanes to Penrith";

/** A test project: a whole backend on a fresh database, with a client for each kind of caller. */
export interface Project {
  backend: Backend;
  /** The database without row-level security, to prepare and check data. */
  database: ServedDatabase;
  visitor: SupabaseClient;
  service: SupabaseClient;
  /** The password of accounts that `staff` creates. */
  password: string;
  /** Creates an account and signs it in. Without `role` the first one is the owner and the others have the role office. */
  staff(email: string, role?: "owner" | "trainer"): Promise<SignedIn>;
  /** A client with a token of these claims, signed by the project. */
  bearer(claims: Record<string, unknown>): Promise<SupabaseClient>;
}

/** A signed-in account. */
interface SignedIn {
  id: string;
  client: SupabaseClient;
  accessToken: string;
}

/** Opens a project from `supabase/`, without the seed. */
export async function openProject(open: OpenDatabase): Promise<Project> {
  const database = await open({ prepared: inject("projectDatabase") });
  const signingKey = await generateSigningKey();
  const jwtSecret = crypto.randomUUID() + crypto.randomUUID();
  const backend = await createBackend({
    supabaseDir: fileURLToPath(new URL("../../../supabase", import.meta.url)),
    database,
    secrets: { publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY, jwtSecret, signingKeys: [signingKey] },
    url: PROJECT_URL,
    storage: { directory: join(inject("projectUploads"), crypto.randomUUID()), sweepMode: "off" },
    passwordCost: LOW_COST,
    log: testLog,
  });
  const jwt = await createJwtKeys([signingKey], jwtSecret);

  function client(key: string, accessToken?: string): SupabaseClient {
    return createClient(PROJECT_URL, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      ...(accessToken === undefined ? {} : { accessToken: () => Promise.resolve(accessToken) }),
      global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
    });
  }
  const service = client(SECRET_KEY);

  return {
    backend,
    database,
    visitor: client(PUBLISHABLE_KEY),
    service,
    password: PASSWORD,
    async staff(email, role) {
      const made = await service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
      if (made.error) throw made.error;
      const insert = "insert into private.staff_roles (user_id, role) values ($1, $2) on conflict do nothing";
      if (role) await database.transaction((tx) => tx.query(insert, [made.data.user.id, role]));
      const { data, error } = await client(PUBLISHABLE_KEY).auth.signInWithPassword({ email, password: PASSWORD });
      if (error) throw error;
      const accessToken = data.session.access_token;
      return { id: data.user.id, client: client(PUBLISHABLE_KEY, accessToken), accessToken };
    },
    async bearer(claims) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      return client(PUBLISHABLE_KEY, await jwt.sign({ iss: `${PROJECT_URL}/auth/v1`, aud: "authenticated", exp, ...claims }));
    },
  };
}
