import { PageFrame } from "../frame/page-frame.tsx";
import { CodeForm } from "../session/code-form.tsx";

/** The second step of signing in for accounts with a second factor. */
export default function CodeStep({ email }: { email: string | undefined }) {
  return (
    <PageFrame title="Enter your code" email={email}>
      <div className="narrow">
        <CodeForm />
        <p className="soft">
          Phone lost or new? Ask a colleague to turn off your sign-in code, under Staff. This page then continues by itself.
        </p>
      </div>
    </PageFrame>
  );
}
