import { createContext } from "react";

/** Called with each submission of the form of a record; resolves to true if it was accepted. */
export const SentFormContext = createContext<(sent: Promise<boolean>) => void>(() => undefined);
