import { isAuthError, type AuthError, type SignOut } from "@supabase/auth-js";
import { _request } from "@supabase/auth-js/dist/module/lib/fetch.js";

interface Options {
  url: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/**
 * Replaces `GoTrueAdminApi` of `@supabase/auth-js` in the browser, whose other methods need a secret key and are 2 KB (gzip) of every
 * first screen. Its client ends sessions with `signOut`.
 */
export default class AdminSignOut {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async signOut(jwt: string, scope: SignOut["scope"] = "global"): Promise<{ data: null; error: AuthError | null }> {
    const { url, headers, fetch } = this.#options;
    try {
      await _request(fetch, "POST", `${url}/logout?scope=${scope}`, { headers, jwt, noResolveJson: true });
      return { data: null, error: null };
    } catch (error) {
      if (isAuthError(error)) return { data: null, error };
      throw error;
    }
  }
}
