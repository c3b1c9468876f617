/** Let pages of any origin read a response: the key in a request says who asks, never a cookie. */
export const CORS_HEADERS = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" } as const;
