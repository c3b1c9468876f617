import type { ReactNode } from "react";
import styles from "./message.module.css";

/** A message; screen readers announce errors at once and other messages politely. */
export function Message({ tone = "info", children }: { tone?: "info" | "success" | "error"; children: ReactNode }) {
  return (
    <div role={tone === "error" ? "alert" : "status"} className={[styles.message, styles[tone]].filter(Boolean).join(" ")}>
      {children}
    </div>
  );
}
