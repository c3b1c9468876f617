import type { Session } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import { PASSWORD, type Answer, type TestAuth } from "../fixture.ts";

/** An enrolled authenticator app. */
export interface AppFactor {
  id: string;
  secret: string;
}

/** Calls of the factor endpoints. */
export interface FactorCalls {
  freshEmail(): string;
  /** Moves to a new client address and returns it. A challenge is answered from the address that opened it. */
  move(): string;
  post(session: Session, path: string, body?: unknown): Promise<Answer>;
  refresh(token: string | undefined): Promise<Answer>;
  signInAgain(email: string): Promise<Session>;
  enroll(session: Session, name?: string): Promise<AppFactor>;
  /** Opens a challenge and answers it. */
  prove(session: Session, factor: AppFactor, code?: string): Promise<Answer>;
  /** Creates an account with a session at aal2; the current code of its app is unused. */
  protectedMember(email?: string): Promise<{ session: Session; factor: AppFactor }>;
}

const appSchema = z.object({ id: z.string(), totp: z.object({ secret: z.string() }) });

export function factorCalls(api: TestAuth): FactorCalls {
  let made = 0;
  let home = "";
  const calls: FactorCalls = {
    freshEmail: () => `factor${(made += 1)}@larkfell.example`,
    move: () => (home = `192.0.2.${(made += 1)}`),
    post: (session, path, body = {}) => api.send("POST", path, { token: session.access_token, body, from: home }),
    refresh: (token) => api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } }),
    async signInAgain(email) {
      const { data, error } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
      if (error) throw error;
      return data.session;
    },
    async enroll(session, name = "") {
      const { body } = await calls.post(session, "/factors", { factor_type: "totp", friendly_name: name });
      const { id, totp } = appSchema.parse(body);
      return { id, secret: totp.secret };
    },
    async prove(session, factor, code) {
      const { body } = await calls.post(session, `/factors/${factor.id}/challenge`);
      const answer = { challenge_id: body.id, code: code ?? (await codeOf(factor.secret)) };
      return calls.post(session, `/factors/${factor.id}/verify`, answer);
    },
    async protectedMember(email = calls.freshEmail()) {
      const session = await api.signIn(email);
      const factor = await calls.enroll(session);
      const { body } = await calls.prove(session, factor, await codeOf(factor.secret, -1));
      return { session: { ...session, access_token: String(body.access_token), refresh_token: String(body.refresh_token) }, factor };
    },
  };
  return calls;
}

/**
 * Returns the code of an app, now or some steps of thirty seconds away. The code of this step and of the next one are accepted for
 * another step; for any other it waits if the step ends within six seconds.
 */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const left = TOTP.remaining({ period: 30 });
  if ((steps < 0 || steps > 1) && left < 6000) await new Promise((resolve) => setTimeout(resolve, left + 50));
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
}

/** Returns the claims of an access token without verification. */
export function payloadOf(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
}
