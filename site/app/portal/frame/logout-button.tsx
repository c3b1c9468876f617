import { useState } from "react";
import { href, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { takeAskedPage } from "./asked-page.ts";

/** Signs out all tabs of this browser; other devices stay signed in. */
export function LogoutButton() {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  async function logOut(): Promise<void> {
    setBusy(true);
    // The browser forgets the session even if the request fails, so there is no error to show.
    await browserClient().auth.signOut({ scope: "local" });
    await navigate(href("/admin"));
    // The next sign-in opens the dashboard.
    takeAskedPage();
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" disabled={busy} onClick={() => void logOut()}>
      Logout
    </Button>
  );
}
