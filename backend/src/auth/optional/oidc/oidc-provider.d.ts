// Types of the parts that the tests use; the package has none.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Grant {
    addOIDCScope(scopes: string): void;
    save(): Promise<string>;
  }

  interface Context {
    oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider };
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: new (of: { clientId: string; accountId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: Record<string, unknown> }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Record<string, unknown>): Promise<void>;
  }

  export type { Context };
}
