import { Message } from "../../../ui/message.tsx";
import { TextField } from "../../../ui/field.tsx";
import { anyDraft } from "../draft.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { PortalForm } from "../portal-form.tsx";
import styles from "./sign-in.module.css";

/** The login, for staff who are signed out. */
export function SignIn({ submit }: { submit: (form: FormData) => Promise<Outcome> }) {
  return (
    <PageFrame title="Admin Login">
      <div className={styles.card}>
        {anyDraft(sessionStorage) && (
          <Message>
            <p>You are signed out. What you typed is kept in this tab and comes back when you sign in.</p>
          </Message>
        )}
        <PortalForm name="Login" label="Sign in" busyLabel="Signing in..." submit={submit}>
          {({ errorOf }) => (
            <>
              <TextField id="email" name="email" type="email" label="E-mail" autoComplete="username" required error={errorOf("email")} />
              <TextField
                id="password"
                name="password"
                type="password"
                label="Password"
                autoComplete="current-password"
                required
                error={errorOf("password")}
              />
            </>
          )}
        </PortalForm>
      </div>
    </PageFrame>
  );
}
