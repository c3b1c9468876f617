import type { ReactNode } from "react";
import styles from "./message.module.css";

/** A line about what just happened or what is so; errors are announced at once, the rest when there is a pause. */
export function Message({ tone = "info", children }: { tone?: "info" | "success" | "error"; children: ReactNode }) {
  return (
    <div role={tone === "error" ? "alert" : "status"} className={[styles.message, styles[tone]].filter(Boolean).join(" ")}>
      {children}
    </div>
  );
}
