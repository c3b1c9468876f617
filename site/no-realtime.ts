/**
 * Stands in for `@supabase/realtime-js` in the browser: the portal opens no websocket, and the real one is 16.5 KB (gzip) of
 * every first screen. supabase-js makes one of these with each client and tells it the access token.
 */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve();
  }
}
