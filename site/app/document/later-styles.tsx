import { use } from "react";
import { ServerDocumentContext } from "./document.ts";

/** Links the stylesheets of the sections that follow; the sections before it are shown without waiting for them. */
export function LaterStyles() {
  const serverDocument = use(ServerDocumentContext);
  return serverDocument?.laterStyles.map((url) => <link key={url} rel="stylesheet" href={url} />);
}
