// Sign-in by OpenID Connect. Imports openid-client; `optional/index.ts` imports this module only for an enabled provider.
export { authorize, authorizeLink } from "./authorize.ts";
export { callback } from "./callback.ts";
export { idTokenGrant } from "./id-token-grant.ts";
