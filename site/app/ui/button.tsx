import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface Look {
  /** At most one primary action per view; danger for actions that cannot be undone. */
  look?: "primary" | "plain" | "danger";
  size?: "normal" | "small";
}

export function Button({ look = "primary", size = "normal", className, type = "button", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={classes(look, size, className)} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink({ look = "primary", size = "normal", className, children, ...rest }: ComponentProps<"a"> & Look) {
  return (
    <a className={classes(look, size, className)} {...rest}>
      {children}
    </a>
  );
}

function classes(look: NonNullable<Look["look"]>, size: NonNullable<Look["size"]>, more: string | undefined): string {
  return [styles.button, styles[look], size === "small" && styles.small, more].filter(Boolean).join(" ");
}
