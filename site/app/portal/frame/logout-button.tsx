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
    // The browser forgets the session before it sends the request, and the layout opens the sign-in page then. Nothing may follow the
    // answer: the person may have opened another page by then. A request that fails leaves the browser signed out, so there is no error to show.
    await browserClient().auth.signOut({ scope: "local" });
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" busy={busy} onClick={() => void logOut()}>
      Logout
    </Button>
  );
}
