create table public.blog_posts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(btrim(title)) between 1 and 200),
  content text not null check (char_length(btrim(content)) between 1 and 200000),
  image_url text check (image_url ~* '^(https?://|/)[^\s]+$' and char_length(image_url) <= 2000),
  author text not null check (char_length(btrim(author)) between 1 and 120),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 220),
  created_at timestamptz not null default now()
);
create index blog_posts_created_at_idx on public.blog_posts (created_at desc);

alter table public.blog_posts enable row level security;
alter table public.blog_posts force row level security;
revoke all on public.blog_posts from anon, authenticated;
grant select on public.blog_posts to anon;
grant select, insert, update, delete on public.blog_posts to authenticated, service_role;

create policy "everyone reads posts" on public.blog_posts for select to anon, authenticated using (true);
create policy "staff add posts" on public.blog_posts for insert to authenticated with check ((select private.is_staff()));
create policy "staff change posts" on public.blog_posts for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff delete posts" on public.blog_posts for delete to authenticated using ((select private.is_staff()));

create trigger announce_change after insert or update or delete or truncate on public.blog_posts
  for each statement execute function private.announce_change();
