import { href } from "react-router";
import { ButtonLink } from "../../ui/button.tsx";

interface AskLinkProps {
  dateId: string;
  full: boolean;
  /** The course and the date in words. */
  about: string;
}

/** The link to the form that asks for a place on a course date, or for its waiting list. */
export function AskLink({ dateId, full, about }: AskLinkProps) {
  const label = full ? "Join the Waiting List" : "Ask for this Place";
  return (
    <ButtonLink href={href("/ask/:dateId", { dateId })} aria-label={`${label}: ${about}`}>
      {label}
    </ButtonLink>
  );
}
