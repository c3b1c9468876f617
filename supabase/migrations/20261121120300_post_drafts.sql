-- Posts that are written before they are published: drafts, and posts that appear by themselves at a time to come.

alter table public.blog_posts
  -- Null for a draft; visitors see a post from this instant on. Whoever names none publishes at once.
  add column published_at timestamptz default now(),
  -- A draft without a title has none yet.
  alter column slug drop not null;

-- Not a change of anybody's: the time an edit is checked against stays.
alter table public.blog_posts disable trigger sign_change;
update public.blog_posts set published_at = created_at;
alter table public.blog_posts enable trigger sign_change;

-- A draft may lack anything, but is never too long to be published.
alter table public.blog_posts
  drop constraint blog_posts_title_check,
  drop constraint blog_posts_content_check,
  drop constraint blog_posts_image_url_check,
  drop constraint blog_posts_author_check,
  add constraint blog_posts_title_check check (char_length(btrim(title)) <= 200 and (published_at is null or btrim(title) <> '')),
  add constraint blog_posts_content_check check (char_length(btrim(content)) <= 200000 and (published_at is null or btrim(content) <> '')),
  add constraint blog_posts_image_url_check
    check (char_length(image_url) <= 2000 and (published_at is null or image_url ~* '^(https?://|/)[^\s]+$')),
  add constraint blog_posts_author_check check (char_length(btrim(author)) <= 120 and (published_at is null or btrim(author) <> '')),
  add constraint blog_posts_published_somewhere check (published_at is null or slug is not null);

-- What visitors read, and staff list with their drafts first.
create index blog_posts_published_at_idx on public.blog_posts (published_at desc, id);

drop policy "everyone reads posts" on public.blog_posts;
create policy "everyone reads published posts" on public.blog_posts for select to anon, authenticated using (published_at <= now());
create policy "staff read all posts" on public.blog_posts for select to authenticated using ((select private.is_staff()));

-- Column by column: who changed a post, and when, is nobody's to write.
revoke insert, update on public.blog_posts from authenticated, service_role;
grant insert (id, title, content, image_url, author, slug, created_at, published_at) on public.blog_posts to authenticated, service_role;
grant update (title, content, image_url, author, slug, published_at) on public.blog_posts to authenticated, service_role;

-- Until visitors can see a post its address is nobody's link.
drop trigger keep_slug on public.blog_posts;
create trigger keep_slug before update on public.blog_posts
  for each row when (old.published_at <= now() and new.slug is distinct from old.slug) execute function private.keep_slug();

-- Until when the published posts stay the ones they are unless somebody writes: for pages that are kept. Five minutes at most, so
-- that nobody learns more of what is to come than that it is about to.
-- Security definer because visitors may not see posts to come.
create function public.posts_stand_until() returns timestamptz
  language sql stable security definer set search_path = ''
as $$
  select coalesce(min(p.published_at), now() + interval '5 minutes')
  from public.blog_posts p
  where p.published_at > now() and p.published_at <= now() + interval '5 minutes'
$$;
revoke all on function public.posts_stand_until() from public;
grant execute on function public.posts_stand_until() to anon, authenticated, service_role;
