import { z } from "zod";
import type { Transaction } from "../../../db/database.ts";
import type { CodeChallenge } from "../../codes/flow-state.ts";

/** A sign-in at an identity provider, begun here. */
export interface SsoFlow {
  providerId: string;
  /** The id of the request its answer must name. */
  requestId: string;
  target: string;
  challenge: CodeChallenge | undefined;
}

const START_FLOW = `insert into auth.flow_state (id, provider_type, authentication_method, auth_code, code_challenge, code_challenge_method,
    created_at, updated_at)
  values ($1, 'sso/saml', 'sso/saml', gen_random_uuid()::text, $2, $3::text::auth.code_challenge_method, now(), now())`;

const START = `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
  values ($1, $2, $3, $4, $5, now(), now())`;

/** Remembers a flow and returns what travels as `RelayState`. */
export async function startSsoFlow(tx: Transaction, { providerId, requestId, target, challenge }: SsoFlow): Promise<string> {
  const id = crypto.randomUUID();
  const flowId = challenge ? crypto.randomUUID() : null;
  if (challenge) await tx.query(START_FLOW, [flowId, challenge.challenge, challenge.method]);
  await tx.query(START, [id, providerId, requestId, target, flowId]);
  return id;
}

const uuid = z.guid();
const relaySchema = z.object({
  sso_provider_id: z.string(),
  request_id: z.string(),
  redirect_to: z.string(),
  flow_state_id: z.string().nullable(),
  fresh: z.boolean(),
});

/** A flow whose answer has come. */
export type AnsweredSsoFlow = z.infer<typeof relaySchema>;

const TAKE = `delete from auth.saml_relay_states where id = $1
  returning sso_provider_id, request_id, redirect_to, flow_state_id, created_at + interval '5 minutes' > now() as fresh`;

/** Finds the flow of a `RelayState`, once: the answer to it cannot be played again. */
export async function takeSsoFlow(tx: Transaction, relayState: string): Promise<AnsweredSsoFlow | undefined> {
  const id = uuid.safeParse(relayState);
  if (!id.success) return undefined;
  const [row] = await tx.query(TAKE, [id.data]);
  return row && relaySchema.parse(row);
}
