import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface Look {
  /** One primary action a view; danger for what cannot be taken back. */
  look?: "primary" | "plain" | "danger";
  size?: "normal" | "small";
}

/** A button; of type "button" unless told otherwise, so that none submits by surprise. */
export function Button({ look = "primary", size = "normal", className, type = "button", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={classes(look, size, className)} {...rest} />;
}

/** A link that is the action of its place, and looks like one. */
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
