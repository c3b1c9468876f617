import type { ReactNode } from "react";
import styles from "./message.module.css";

interface MessageProps {
  tone?: "info" | "success" | "error";
  /** True in a live region, which announces it. */
  silent?: boolean;
  children: ReactNode;
}

/** A message; screen readers announce errors at once and other messages politely. */
export function Message({ tone = "info", silent = false, children }: MessageProps) {
  return (
    <div
      role={silent ? undefined : tone === "error" ? "alert" : "status"}
      className={[styles.message, styles[tone]].filter(Boolean).join(" ")}
    >
      {children}
    </div>
  );
}
