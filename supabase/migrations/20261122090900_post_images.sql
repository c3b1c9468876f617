-- Images of blog posts, in a public bucket: everybody reads them, staff add and delete them.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('post-images', 'post-images', true, 10000000, array['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- Returns the posts that show an image, as far as the caller may read them. Compares the end of the address, because the site
-- and its storage may be reached under several hosts.
create function public.post_image_uses(image_name text) returns setof uuid
  language sql stable set search_path = ''
as $$
  select p.id
  from public.blog_posts p
  where position('/post-images/' || image_name in p.content) > 0
    or position('/post-images/' || image_name in coalesce(p.image_url, '')) > 0
$$;
revoke all on function public.post_image_uses(text) from public, anon;
grant execute on function public.post_image_uses(text) to authenticated, service_role;

create policy "staff list post images" on storage.objects for select to authenticated
  using (bucket_id = 'post-images' and (select private.is_staff()));

-- The name ends with the size of the image, so that pages can reserve its space, and needs no escapes in a URL.
create policy "staff add post images" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'post-images'
    and (select private.is_staff())
    and name ~ '^[a-z0-9]+(-[a-z0-9]+)*-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(jpg|png|webp|avif)$'
    and char_length(name) <= 120
  );

-- An image that a post shows cannot be deleted. There is no policy for updates, so it cannot be replaced or moved either.
create policy "staff delete post images no post uses" on storage.objects for delete to authenticated
  using (
    bucket_id = 'post-images'
    and (select private.is_staff())
    and not exists (select from public.post_image_uses(name))
  );
