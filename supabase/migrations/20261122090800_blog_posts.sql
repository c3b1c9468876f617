-- Posts of the blog. Visitors read published posts, staff also read drafts and posts to be published later.

create table public.blog_posts (
  id uuid primary key default gen_random_uuid(),
  -- A draft may lack anything, but is never too long to be published.
  title text not null constraint blog_posts_title_check check (char_length(btrim(title)) <= 200 and (published_at is null or btrim(title) <> '')),
  content text not null constraint blog_posts_content_check check (char_length(btrim(content)) <= 200000 and (published_at is null or btrim(content) <> '')),
  image_url text constraint blog_posts_image_url_check
    check (char_length(image_url) <= 2000 and (published_at is null or image_url ~* '^(https?://|/)[^\s]+$')),
  author text not null constraint blog_posts_author_check check (char_length(btrim(author)) <= 120 and (published_at is null or btrim(author) <> '')),
  -- Null for a draft without a title.
  slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 220),
  created_at timestamptz not null default now() check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  updated_at timestamptz not null default clock_timestamp(),
  -- Null for a draft. Visitors see the post from this time on.
  published_at timestamptz default now() check (published_at between '2000-01-01T00:00Z' and '9999-12-31T23:59Z'),
  constraint blog_posts_published_somewhere check (published_at is null or slug is not null)
);
create index blog_posts_created_at_idx on public.blog_posts (created_at desc);
create index blog_posts_published_at_idx on public.blog_posts (published_at desc, id);

alter table public.blog_posts enable row level security;
alter table public.blog_posts force row level security;
revoke all on public.blog_posts from anon, authenticated;
grant select on public.blog_posts to anon;
grant select, insert, update, delete on public.blog_posts to authenticated, service_role;

create policy "everyone reads published posts" on public.blog_posts for select to anon, authenticated using (published_at <= now());
create policy "staff read all posts" on public.blog_posts for select to authenticated using ((select private.is_staff()));
create policy "staff add posts" on public.blog_posts for insert to authenticated with check ((select private.is_staff()));
create policy "staff change posts" on public.blog_posts for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff delete posts" on public.blog_posts for delete to authenticated using ((select private.is_staff()));

create function private.keep_slug() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise sqlstate 'PT409' using message = 'The address of a published post never changes', hint = 'Publish another post at the new address.';
end
$$;
revoke all on function private.keep_slug() from public;

create trigger announce_change after insert or update or delete or truncate on public.blog_posts
  for each statement execute function private.announce_change();
create trigger keep_slug before update on public.blog_posts
  for each row when (old.published_at <= now() and new.slug is distinct from old.slug) execute function private.keep_slug();
create trigger protect_columns before update on public.blog_posts
  for each row execute function private.protect_columns('id', 'created_at', 'updated_at');
create trigger stamp_update before insert or update on public.blog_posts
  for each row execute function private.stamp_update();

-- Returns when the list of published posts changes next without a write: the expiry of cached pages. At most five minutes ahead,
-- so that visitors cannot learn when a later post appears.
-- Security definer: visitors may not see posts to be published later.
create function public.posts_expire_at() returns timestamptz
  language sql stable security definer set search_path = ''
begin atomic
  -- With a parsed body Postgres knows that the function reads blog_posts, and so does the page cache.
  select coalesce(min(p.published_at), now() + interval '5 minutes')
  from public.blog_posts p
  where p.published_at > now() and p.published_at <= now() + interval '5 minutes';
end;
revoke all on function public.posts_expire_at() from public;
grant execute on function public.posts_expire_at() to anon, authenticated, service_role;
