import type { Context } from "hono";
import type { Connection } from "../connection.ts";
import { type Caller, type Member, requireAdmin, requireCaller, requireMember } from "./bearer.ts";
import type { AuthContext, Call } from "./context.ts";
import { limitRequest } from "./limits.ts";
import type { RequestLimit } from "../rate-limits.ts";

type AuthRequest = Context<{ Bindings: Connection }>;
type Handler = (c: AuthRequest) => Promise<Response>;

/** Who may come in; a limit counts requests by client, after the guard has let them through. */
export interface Guards {
  /** Everybody. */
  open(endpoint: (call: Call) => Promise<Response>, limit?: RequestLimit): Handler;
  /** Who has an account. */
  user(endpoint: (call: Call, caller: Caller) => Promise<Response>, limit?: RequestLimit): Handler;
  /** Who has more than an anonymous account, signed in by a session. */
  member(endpoint: (call: Call, member: Member) => Promise<Response>, limit?: RequestLimit): Handler;
  /** The holder of the secret key. */
  admin(endpoint: (call: Call) => Promise<Response>): Handler;
}

/** Makes the guards of the route tables. */
export function createGuards(auth: AuthContext): Guards {
  const callOf = (c: AuthRequest): Call => ({ auth, request: c.req.raw, address: c.env.clientAddress, params: c.req.param() });
  const guards: Guards = {
    open: (endpoint, limit) => async (c) => {
      const call = callOf(c);
      if (limit) await limitRequest(call, limit);
      return endpoint(call);
    },
    user: (endpoint, limit) => async (c) => {
      const call = callOf(c);
      const caller = await requireCaller(call);
      if (limit) await limitRequest(call, limit);
      return endpoint(call, caller);
    },
    member: (endpoint, limit) => guards.user((call, caller) => endpoint(call, requireMember(caller)), limit),
    admin: (endpoint) => async (c) => {
      const call = callOf(c);
      await requireAdmin(call);
      return endpoint(call);
    },
  };
  return guards;
}
