import { useState } from "react";
import { useRevalidator } from "react-router";
import { outcomeOf, type Outcome } from "./outcome.ts";

/** The notice of a page and the actions that change it. */
export interface PageNotice {
  /** The result of the last action. */
  notice: Outcome | null;
  setNotice: (outcome: Outcome | null) => void;
  /** Shows an outcome and reloads the data of the page. */
  show: (outcome: Outcome) => void;
  /** Runs an action, shows its outcome, reloads the data of the page, and returns the outcome. */
  act: (action: () => Promise<Outcome>) => Promise<Outcome>;
}

/** Manages the notice of a page. */
export function useNotice(): PageNotice {
  const [notice, setNotice] = useState<Outcome | null>(null);
  const { revalidate } = useRevalidator();

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  async function act(action: () => Promise<Outcome>): Promise<Outcome> {
    setNotice(null);
    const outcome = await outcomeOf(action());
    show(outcome);
    return outcome;
  }

  return { notice, setNotice, show, act };
}
