-- Times that every calendar knows: infinity, which Postgres takes too, is no date a page can show.
alter table public.blog_posts
  add constraint blog_posts_published_at_check check (published_at between '2000-01-01T00:00Z' and '9999-12-31T23:59Z');
