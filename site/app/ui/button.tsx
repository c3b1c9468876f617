import type { ComponentProps, MouseEvent } from "react";
import styles from "./button.module.css";

interface Look {
  /** At most one primary action per view; danger for actions that cannot be undone. */
  look?: "primary" | "plain" | "danger";
  size?: "normal" | "small";
}

interface ButtonProps extends ComponentProps<"button">, Look {
  /** True while its action runs: it does nothing and, other than a disabled button, keeps the focus. */
  busy?: boolean;
}

export function Button({ look = "primary", size = "normal", busy = false, className, type = "button", onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classes(look, size, className)}
      aria-disabled={busy || undefined}
      onClick={busy ? preventDefault : onClick}
      {...rest}
    />
  );
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

function preventDefault(event: MouseEvent): void {
  event.preventDefault();
}
