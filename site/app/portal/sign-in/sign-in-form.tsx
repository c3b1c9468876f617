import type { GoTrueClient } from "@supabase/auth-js";
import { use, useSyncExternalStore } from "react";
import { Message } from "../../ui/message.tsx";
import { TextField } from "../../ui/field.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { hasUnsaved } from "../forms/unsaved-form.ts";
import { RoutingContext } from "../frame/routing.tsx";
import { PasswordField } from "../session/password-field.tsx";
import { signIn } from "./queries.ts";

interface SignInFormProps {
  /** Returns the client that signs in. */
  auth: () => GoTrueClient;
  /** Called when somebody is signed in. */
  onDone?: () => void;
}

/** The form of the sign-in page, which the server renders too: it cannot be sent before the browser runs its script. */
export function SignInForm({ auth, onDone = ignore }: SignInFormProps) {
  const { link } = use(RoutingContext);
  const runs = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return (
    <>
      {runs && hasUnsaved() && (
        <Message>
          <p>You are signed out. Your unsaved input stays in this tab and is restored when you sign in.</p>
        </Message>
      )}
      <PortalForm
        name="Login"
        label="Sign in"
        busyLabel="Signing in..."
        ready={runs}
        submit={(form) => signIn(auth(), form)}
        onDone={onDone}
      >
        {({ field }) => (
          <>
            <TextField {...field("email")} label="E-mail" type="email" autoComplete="username" required />
            <PasswordField {...field("password")} label="Password" autoComplete="current-password" required />
          </>
        )}
      </PortalForm>
      <p>{link("/admin/password", "Forgotten your password?")}</p>
      <p className="soft">
        No account yet? Ask a colleague to invite you, under Staff. The very first account is created with the set-up link that the server
        prints when it starts.
      </p>
    </>
  );
}

function neverChanges(): () => void {
  return ignore;
}

function ignore(): void {}
