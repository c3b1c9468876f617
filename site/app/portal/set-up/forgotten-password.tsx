import { useState } from "react";
import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { textOf } from "../forms/form-text.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { redeemCode, requestLink } from "./redeem-link.ts";

/** Mails a link to somebody who forgot the password, and takes the code from that mail or from an invitation. */
export function ForgottenPassword({ title, mails }: { title: string; mails: boolean }) {
  const [hasCode, setHasCode] = useState(false);
  const [email, setEmail] = useState("");
  const [notice, setNotice] = useState<Outcome | null>(null);

  function show(code: boolean, outcome: Outcome | null = null): void {
    setHasCode(code);
    setNotice(outcome);
  }

  return (
    <PageFrame title={title} notice={notice}>
      <div className="narrow">
        {!mails ? (
          <Message>
            <p>Forgotten your password? Ask a colleague to send you a new link, under Staff. Then open the whole link.</p>
          </Message>
        ) : hasCode ? (
          <>
            <PortalForm
              key="code"
              name="Sign in with a code"
              label="Continue"
              busyLabel="Checking..."
              begin={{ email }}
              takesFocus={notice === null}
              submit={(form) => redeemCode(browserClient(), form)}
            >
              {({ field }) => (
                <>
                  <TextField {...field("email")} label="E-mail" type="email" autoComplete="username" required />
                  <TextField
                    {...field("code")}
                    label="Code from the mail"
                    inputMode="numeric"
                    autoComplete="one-time-code"
                    maxLength={14}
                    required
                  />
                </>
              )}
            </PortalForm>
            <Button look="plain" onClick={() => show(false)}>
              Send a new mail
            </Button>
          </>
        ) : (
          <>
            <p>Enter your e-mail address. You get a mail with a link and a code to choose a new password.</p>
            <PortalForm
              key="mail"
              name="Get a mail with a link"
              label="Send the link"
              busyLabel="Sending..."
              begin={{ email }}
              submit={(form) => {
                setEmail(textOf(form, "email"));
                return requestLink(browserClient(), form);
              }}
              onDone={(outcome) => show(true, outcome)}
            >
              {({ field }) => <TextField {...field("email")} label="E-mail" type="email" autoComplete="username" required />}
            </PortalForm>
            <Button look="plain" onClick={() => show(true)}>
              I have a code
            </Button>
          </>
        )}
        <p>
          <Link to={href("/admin")}>Go to the sign-in page</Link>
        </p>
      </div>
    </PageFrame>
  );
}
