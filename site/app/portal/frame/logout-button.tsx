import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { openDashboardNext } from "./requested-page.ts";

/** Signs out all tabs of this browser; other devices stay signed in. */
export function LogoutButton() {
  const [busy, setBusy] = useState(false);
  async function logOut(): Promise<void> {
    setBusy(true);
    openDashboardNext();
    // The browser removes the session before it sends the request, and the layout then opens the sign-in page. No navigation may follow the
    // response, because the person may have opened another page. A request that fails leaves the browser signed out, so there is no error to show.
    await browserClient().auth.signOut({ scope: "local" });
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" busy={busy} onClick={() => void logOut()}>
      Logout
    </Button>
  );
}
