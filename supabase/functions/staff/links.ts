import type { AuthError } from "@supabase/supabase-js";
import type { Done, Means } from "./act.ts";
import type { Wish } from "./wish.ts";

/** How a link gets to who it is for: the caller hands it over, or it was mailed. */
export type Delivery = { link: string } | { mailed: true };

type LinkWish = Extract<Wish, { act: "invite" | "link" }>;

/** Which link is wanted: into a new account, or into one that has an owner. */
interface Addressee {
  type: "invite" | "recovery";
  email: string;
  data?: { display_name: string };
}

const PASSWORD_PAGE = "/admin/password";

/** Makes a link that nobody is mailed. What it proves stands behind the #, which browsers send to nobody. */
export async function handOverLink(wish: LinkWish, means: Means): Promise<Done> {
  const { service, passwordPage } = means;
  const to = await addressee(wish, means);
  if ("error" in to) return { ok: false, error: to.error };
  const options = { ...(passwordPage === undefined ? {} : { redirectTo: passwordPage }), ...(to.data ? { data: to.data } : {}) };
  const { data, error } = await service.auth.admin.generateLink({ type: to.type, email: to.email, options });
  if (error) return { ok: false, error };
  const { redirect_to: site, hashed_token: token, verification_type: type } = data.properties;
  // Where the page asked for is not allowed the service says the site's own address.
  const link = new URL(PASSWORD_PAGE, site);
  link.hash = new URLSearchParams({ token_hash: token, type }).toString();
  return { ok: true, delivery: { link: link.href } };
}

/** Has the auth service mail a link. */
export async function mailLink(wish: LinkWish, means: Means): Promise<Done> {
  const { service, passwordPage } = means;
  const to = await addressee(wish, means);
  if ("error" in to) return { ok: false, error: to.error };
  const options = passwordPage === undefined ? {} : { redirectTo: passwordPage };
  const { error } =
    to.type === "invite"
      ? await service.auth.admin.inviteUserByEmail(to.email, { ...options, ...(to.data ? { data: to.data } : {}) })
      : await service.auth.resetPasswordForEmail(to.email, options);
  return error ? { ok: false, error } : { ok: true, delivery: { mailed: true } };
}

async function addressee(wish: LinkWish, { service }: Means): Promise<Addressee | { error: AuthError }> {
  if (wish.act === "invite")
    return { type: "invite", email: wish.email, ...(wish.name === "" ? {} : { data: { display_name: wish.name } }) };
  const { data, error } = await service.auth.admin.getUserById(wish.member_id);
  if (error) return { error };
  const { email = "", email_confirmed_at: confirmed } = data.user;
  return { type: confirmed === undefined ? "invite" : "recovery", email };
}
