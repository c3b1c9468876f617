import type { Context } from "hono";
import type { Connection } from "../connection.ts";
import { type Caller, type Member, requireAdmin, requireCaller, requireMember } from "./bearer.ts";
import type { AuthContext, Call } from "./context.ts";
import { type CountedTransaction, limitInTransaction, limitRequest } from "./limits.ts";
import type { RequestLimit } from "../rate-limits.ts";

type AuthRequest = Context<{ Bindings: Connection }>;
type Handler = (c: AuthRequest) => Promise<Response>;

/** The guards of the route tables. A rate limit counts a request after the guard accepted it. */
interface Guards {
  /** Accepts every request. */
  open(endpoint: (call: Call) => Promise<Response>, limit?: RequestLimit): Handler;
  /** Accepts every request; the endpoint counts it in its first transaction. */
  counted(endpoint: (call: Call, transaction: CountedTransaction) => Promise<Response>, limit: RequestLimit): Handler;
  /** Requires an access token. */
  user(endpoint: (call: Call, caller: Caller) => Promise<Response>, limit?: RequestLimit): Handler;
  /** Requires a permanent account and a session. */
  member(endpoint: (call: Call, member: Member) => Promise<Response>, limit?: RequestLimit): Handler;
  /** Requires the secret key or a token of the service role. */
  admin(endpoint: (call: Call) => Promise<Response>): Handler;
}

export function createGuards(auth: AuthContext): Guards {
  const callOf = (c: AuthRequest): Call => ({ auth, request: c.req.raw, address: c.env.clientAddress, params: c.req.param() });
  const guards: Guards = {
    open: (endpoint, limit) => async (c) => {
      const call = callOf(c);
      if (limit) await limitRequest(call, limit);
      return endpoint(call);
    },
    counted: (endpoint, limit) => async (c) => {
      const call = callOf(c);
      return limitInTransaction(call, limit, (transaction) => endpoint(call, transaction));
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
