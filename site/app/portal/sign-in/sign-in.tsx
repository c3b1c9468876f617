import { browserClient } from "../../supabase/supabase.client.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { RoutingContext, WITHOUT_ROUTER } from "../frame/routing.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import styles from "./sign-in.module.css";

const TITLE = "Admin Login";

/** The sign-in page inside the running portal. */
export function SignIn() {
  return (
    <PageFrame title={TITLE} tabTitle="Staff portal">
      <div className="narrow">
        <SignInForm auth={() => browserClient().auth} />
      </div>
    </PageFrame>
  );
}

/** The sign-in page as the server renders it; a browser that stores a session shows a loading indicator in its place. */
export function ServerSignIn() {
  return (
    <PageFrame title={TITLE} tabTitle="Staff portal">
      <div className={styles.loading}>
        <Spinner label="Loading your session…" />
      </div>
      {/* `entry.client.ts` hydrates it. */}
      <div id="page" className="narrow">
        <RoutingContext value={WITHOUT_ROUTER}>
          <SignInForm auth={() => browserClient().auth} />
        </RoutingContext>
      </div>
      <noscript>
        <p>The staff portal runs in your browser and needs JavaScript. Please switch it on and load this page again.</p>
      </noscript>
    </PageFrame>
  );
}
