-- Pictures of blog posts: everyone may see them, staff add and delete them.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('post-images', 'post-images', true, 10000000, array['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- The posts a picture is in, as far as the caller may read them. A picture is meant by the end of its address, wherever the
-- site and its storage are reached.
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

-- A name says how large its picture is, for pages to leave the room before it has come, and needs no escapes in an address.
create policy "staff add post images" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'post-images'
    and (select private.is_staff())
    and name ~ '^[a-z0-9]+(-[a-z0-9]+)*-[1-9][0-9]{0,4}x[1-9][0-9]{0,4}\.(jpg|png|webp|avif)$'
    and char_length(name) <= 120
  );

-- What a post shows stays: it is neither deleted nor, there being no policy for updates, replaced or moved.
create policy "staff delete post images no post uses" on storage.objects for delete to authenticated
  using (
    bucket_id = 'post-images'
    and (select private.is_staff())
    and not exists (select from public.post_image_uses(name))
  );
