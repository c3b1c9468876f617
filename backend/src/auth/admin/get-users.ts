import { AUDIENCE, type Call } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { json } from "../responses.ts";
import { userJson } from "../accounts/user-json.ts";
import { listUsers } from "../accounts/users.ts";

const MOST_PER_PAGE = 1000;

/** `GET admin/users?page&per_page&filter&sort`: one page of all accounts, newest first. */
export async function getUsers({ auth, request }: Call): Promise<Response> {
  const url = new URL(request.url);
  const page = wholeNumber(url, "page", 1);
  const perPage = Math.min(wholeNumber(url, "per_page", 50), MOST_PER_PAGE);
  const filter = url.searchParams.get("filter") ?? "";
  const oldestFirst = /^created_at\s+asc$/i.test(url.searchParams.get("sort") ?? "");
  const { users, total } = await auth.database.transaction(
    (tx) => listUsers(tx, { limit: perPage, offset: (page - 1) * perPage, filter, oldestFirst }),
    { readOnly: true },
  );
  const headers = { "X-Total-Count": String(total), Link: links(url, page, Math.max(1, Math.ceil(total / perPage)), perPage) };
  return json({ users: users.map(userJson), aud: AUDIENCE }, { headers });
}

function wholeNumber(url: URL, name: string, fallback: number): number {
  const given = url.searchParams.get(name);
  if (given === null || given === "") return fallback;
  const value = Number(given);
  if (!/^\d{1,9}$/.test(given) || value < 1) throw validationFailed(`Bad Pagination Parameters: ${name} must be a whole number from 1`);
  return value;
}

/** RFC 8288 links; `page` comes first because auth-js reads the first parameter, whatever its name. */
function links(url: URL, page: number, last: number, perPage: number): string {
  const rest = new URLSearchParams(url.searchParams);
  rest.delete("page");
  rest.set("per_page", String(perPage));
  const to = (target: number, rel: string): string => `<${url.pathname}?page=${target}&${rest}>; rel="${rel}"`;
  return [...(page < last ? [to(page + 1, "next")] : []), to(last, "last")].join(", ");
}
