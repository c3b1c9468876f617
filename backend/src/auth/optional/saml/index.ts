// Sign-in by SAML 2.0. Imports node-saml and xmldom; `optional/index.ts` imports this module only if `[auth.sso]` is on (decision 020).
export { createProvider, deleteProvider, getProvider, getProviders, updateProvider } from "./admin.ts";
export { consumeAssertion } from "./consume.ts";
export { serviceProviderMetadata } from "./service-provider.ts";
export { startSso } from "./start.ts";
