import type { ReactNode } from "react";
import { href } from "react-router";
import type { CourseLinks } from "../document/document.ts";
import { useConstantContent } from "../document/server-content.ts";
import { DocumentDialog } from "../ui/dialog.tsx";
import { ContactBlock } from "./contact-block.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { VisitNotice } from "../visits/visit-notice.tsx";
import styles from "./frame.module.css";

/** Header, footer and dialogs around every public page. React hydrates none of it; site-chrome.client.ts adds the behaviour. */
export function Frame({ path, courseLinks, children }: { path: string; courseLinks: readonly CourseLinks[]; children: ReactNode }) {
  const constant = useConstantContent();
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {/* The notice precedes the page in the tab order, because it covers a part of it. */}
      <VisitNotice />
      <Header path={path} />
      {children}
      <div className={styles.end} {...constant(<FrameEnd courseLinks={courseLinks} />)} />
    </>
  );
}

function FrameEnd({ courseLinks }: { courseLinks: readonly CourseLinks[] }) {
  return (
    <>
      <Footer courseLinks={courseLinks} />
      <DocumentDialog id="contact-dialog" title="Contact us">
        <ContactBlock variant="vertical" />
        <p className={styles.ask}>
          <a href={href("/enquiry")}>Ask a question</a>
        </p>
      </DocumentDialog>
    </>
  );
}
