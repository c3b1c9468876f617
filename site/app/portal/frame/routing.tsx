import { createContext, type ReactNode } from "react";

interface Routing {
  /** Reloads the data of the page. */
  reload: () => Promise<void>;
  /** A link to a page of the portal. */
  link: (to: string, label: string) => ReactNode;
}

/** The parts of React Router that forms use; without a provider those of a page that does not load React Router. */
export const RoutingContext = createContext<Routing>({
  reload: () => Promise.resolve(location.reload()),
  link: (to, label) => <a href={to}>{label}</a>,
});
