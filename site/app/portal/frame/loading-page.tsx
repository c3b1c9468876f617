import { Spinner } from "../../ui/spinner.tsx";
import { PageFrame } from "./page-frame.tsx";

/** A portal page as the server renders it, before the browser reads its session. */
export function LoadingPage({ title, label = "Loading your session…" }: { title: string; label?: string }) {
  return (
    <PageFrame title={title} waiting>
      <Spinner label={label} />
      <noscript>
        <p>The staff portal runs in your browser and needs JavaScript. Please switch it on and load this page again.</p>
      </noscript>
    </PageFrame>
  );
}
