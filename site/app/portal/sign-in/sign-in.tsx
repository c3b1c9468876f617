import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Message } from "../../ui/message.tsx";
import { TextField } from "../../ui/field.tsx";
import { hasUnsaved } from "../forms/unsaved-form.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { CodeForm } from "../session/code-form.tsx";
import { PasswordField } from "../session/password-field.tsx";
import { signIn } from "./queries.ts";

/** The login page. */
export function SignIn() {
  return (
    <PageFrame title="Admin Login">
      <div className="narrow">
        {hasUnsaved() && (
          <Message>
            <p>You are signed out. Your unsaved input stays in this tab and is restored when you sign in.</p>
          </Message>
        )}
        <PortalForm name="Login" label="Sign in" busyLabel="Signing in..." submit={(form) => signIn(browserClient(), form)}>
          {({ field }) => (
            <>
              <TextField {...field("email")} label="E-mail" type="email" autoComplete="username" required />
              <PasswordField {...field("password")} label="Password" autoComplete="current-password" required />
            </>
          )}
        </PortalForm>
        <p>
          <Link to={href("/admin/password")}>Forgotten your password?</Link>
        </p>
        <p className="soft">
          No account yet? Ask a colleague to invite you, under Staff. The very first account is made with the set-up link that the server
          prints when it starts.
        </p>
      </div>
    </PageFrame>
  );
}

/** The second step of the login for accounts with a second factor. */
export function CodeStep({ email }: { email: string | undefined }) {
  return (
    <PageFrame title="Enter your code" email={email}>
      <div className="narrow">
        <CodeForm />
        <p className="soft">
          Phone lost or new? Ask a colleague to turn off your sign-in code, under Staff. This page goes on by itself once they have.
        </p>
      </div>
    </PageFrame>
  );
}
