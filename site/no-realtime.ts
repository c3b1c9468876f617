/**
 * Replaces `@supabase/realtime-js` in the browser, which is 16.5 KB (gzip) of every first screen: the portal opens no websocket (decision 008).
 * supabase-js creates one instance per client and passes it the access token.
 */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve();
  }
}
