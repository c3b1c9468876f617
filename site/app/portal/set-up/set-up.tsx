import { href, Link, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { LoadingPage } from "../frame/loading-page.tsx";
import { NewPasswordFields } from "../session/new-password-fields.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { createFirstAccount } from "./queries.ts";
import type { Route } from "./+types/set-up";

const TITLE = "Set up the portal";

/** The token is in the hash, which browsers do not send to the server. */
export function clientLoader() {
  return { token: location.hash.slice(1) };
}

export function HydrateFallback() {
  return <LoadingPage title={TITLE} label="Reading the set-up link…" />;
}

/** The page of the one-time link that the server prints while there is no account. */
export default function SetUp({ loaderData: { token } }: Route.ComponentProps) {
  const navigate = useNavigate();
  if (token === "") {
    return (
      <PageFrame title={TITLE}>
        <Message>
          <p>This page needs the whole set-up link that the server prints when it starts without any account.</p>
        </Message>
        <p>
          <Link to={href("/admin")}>Sign in with an account</Link>
        </p>
      </PageFrame>
    );
  }
  return (
    <PageFrame title={TITLE}>
      <p className="lead">You are creating the first staff account.</p>
      <div className="narrow">
        <PortalForm
          name="First account"
          label="Create account"
          busyLabel="Creating..."
          submit={(form) => createFirstAccount(browserClient(), token, form)}
          onDone={() => void navigate(href("/admin"), { replace: true })}
        >
          {({ field }) => (
            <>
              <TextField {...field("email")} label="E-mail" type="email" autoComplete="username" required />
              <NewPasswordFields field={field} />
            </>
          )}
        </PortalForm>
      </div>
    </PageFrame>
  );
}
