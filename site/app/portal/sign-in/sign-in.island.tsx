import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { createAuthClient, sessionKey } from "../../supabase/auth.client.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Hydrates the sign-in page of a browser without a session, which loads the portal when somebody signs in, also in another tab (decision 052). */
export function hydrateIsland(container: HTMLElement): void {
  hydrateRoot(container, <SignIn />);
  container.addEventListener("input", preloadPortal, { once: true });
  const look = (): void => {
    if (localStorage.getItem(sessionKey()) !== null) location.reload();
  };
  for (const type of ["storage", "pageshow"]) addEventListener(type, look);
  // A frozen tab receives no message about the storage.
  document.addEventListener("visibilitychange", look);
}

function SignIn() {
  const [auth] = useState(createAuthClient);
  return <SignInForm auth={() => auth} onDone={() => location.reload()} />;
}

/** Loads the scripts of the portal while somebody types. */
function preloadPortal(): void {
  const scripts = document.createElement("template");
  scripts.innerHTML = document.getElementById("portal-scripts")?.textContent ?? "";
  document.head.append(...scripts.content.querySelectorAll("link"));
}
