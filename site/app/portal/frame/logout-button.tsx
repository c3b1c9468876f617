import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";

/** Signs this browser out, every tab of it; other devices stay signed in. */
export function LogoutButton() {
  const [busy, setBusy] = useState(false);
  async function logOut(): Promise<void> {
    setBusy(true);
    // The session is gone from this browser even where the service could not be told, so there is nothing to say.
    await browserClient().auth.signOut({ scope: "local" });
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" disabled={busy} onClick={() => void logOut()}>
      Logout
    </Button>
  );
}
