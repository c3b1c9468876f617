import { createContext, type ReactNode } from "react";

interface Routing {
  /** Reloads the data of the page. */
  reload: () => Promise<void>;
  /** A link to a page of the portal. */
  link: (to: string, label: string) => ReactNode;
}

/** Links and reloads of a page that does not load React Router. */
export const WITHOUT_ROUTER: Routing = {
  reload: () => Promise.resolve(location.reload()),
  link: (to, label) => <a href={to}>{label}</a>,
};

/** The parts of React Router that forms use. */
export const RoutingContext = createContext<Routing>(WITHOUT_ROUTER);
