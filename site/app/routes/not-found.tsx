import { data } from "react-router";

/** Any address the sitemap does not know. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
