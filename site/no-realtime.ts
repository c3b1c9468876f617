/**
 * Replaces `@supabase/realtime-js` in supabase-js, which is 16.5 KB (gzip) of every first screen: the portal loads it after its first
 * screen and connects by itself (decision 043). supabase-js creates one instance per client and passes it the access token.
 */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve();
  }
}
