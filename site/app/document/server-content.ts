import { use, type ComponentProps, type ReactElement } from "react";
import { ServerDocumentContext } from "./document.ts";

/** The content of an element that only the server renders. */
export type ServerContent = Pick<ComponentProps<"div">, "children" | "dangerouslySetInnerHTML" | "suppressHydrationWarning">;

/** Content in the browser: React keeps what the server rendered, so that no script and no island data contain it. */
export const SERVER_CONTENT: ServerContent = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: "" } };

/** A function that renders content on the server, once per process, component and key; components with the same key must have the same properties. */
export function useConstantContent(): (content: ReactElement, key?: string) => ServerContent {
  const serverDocument = use(ServerDocumentContext);
  return (content, key) =>
    serverDocument ? { dangerouslySetInnerHTML: { __html: serverDocument.constantHtml(content, key) } } : SERVER_CONTENT;
}
