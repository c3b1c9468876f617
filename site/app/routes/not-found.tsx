import { data } from "react-router";

/** Responds to every unknown path with 404. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
