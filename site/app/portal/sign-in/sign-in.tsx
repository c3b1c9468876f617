import { Message } from "../../ui/message.tsx";
import { TextField } from "../../ui/field.tsx";
import { hasUnsaved } from "../forms/unsaved-form.ts";
import type { Outcome } from "../frame/outcome.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";

/** The login page. */
export function SignIn({ submit }: { submit: (form: FormData) => Promise<Outcome> }) {
  return (
    <PageFrame title="Admin Login">
      <div className="narrow">
        {hasUnsaved() && (
          <Message>
            <p>You are signed out. Your unsaved input stays in this tab and is restored when you sign in.</p>
          </Message>
        )}
        <PortalForm name="Login" label="Sign in" busyLabel="Signing in..." submit={submit}>
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
