import { browserClient } from "../../supabase/supabase.client.ts";
import { Message } from "../../ui/message.tsx";
import { TextField } from "../../ui/field.tsx";
import { hasUnsaved } from "../forms/unsaved-form.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { CodeForm } from "../session/code-form.tsx";
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
              <TextField {...field("password")} label="Password" type="password" autoComplete="current-password" required />
            </>
          )}
        </PortalForm>
        <p className="soft">Forgotten your password? Ask a colleague to send you a new link, under Staff.</p>
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
          Phone lost or new? Ask a colleague to remove your second factor, under Staff. This page goes on by itself once they have.
        </p>
      </div>
    </PageFrame>
  );
}
