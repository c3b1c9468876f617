-- A post that is not published, as a page at a secret address that staff give to others.

create table private.post_previews (
  post_id uuid primary key references public.blog_posts (id) on delete cascade,
  -- Only a digest, so that a copy of the database opens no preview. The key is random, so it needs no salt.
  key_digest bytea not null unique,
  expires_at timestamptz not null
);
alter table private.post_previews enable row level security;
revoke all on private.post_previews from public, anon, authenticated, service_role;

-- Returns a new key of the preview of a post that is not published, shown once; an earlier one becomes invalid.
-- Security definer: nobody else may write the table.
create function public.share_post(post uuid) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  key uuid := gen_random_uuid();
begin
  perform private.require_staff();
  delete from private.post_previews v where v.expires_at <= now();
  if not exists (select from public.blog_posts p where p.id = post and (p.published_at is null or p.published_at > now())) then
    raise sqlstate 'PT409' using message = 'Only a post that is not published has a preview', hint = 'Everybody can read a published post.';
  end if;
  insert into private.post_previews as v (post_id, key_digest, expires_at)
  values (post, private.digest_of_key(key), now() + interval '14 days')
  on conflict (post_id) do update set key_digest = excluded.key_digest, expires_at = excluded.expires_at;
  return key;
end
$$;

-- Makes the key of a post invalid.
-- Security definer: nobody else may write the table.
create function public.stop_sharing_post(post uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  delete from private.post_previews v where v.post_id = post;
end
$$;

-- Returns the posts whose preview somebody can open now, without the keys.
-- Security definer: nobody else may read the table.
create function public.shared_posts() returns table (post_id uuid, expires_at timestamptz)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  return query select v.post_id, v.expires_at
    from private.post_previews v join public.blog_posts p on p.id = v.post_id
    where v.expires_at > now() and (p.published_at is null or p.published_at > now());
end
$$;

-- Returns what visitors will see of the post of a key; null without a valid key.
-- Security definer: the key takes the place of a session.
create function public.post_preview(key uuid) returns json
  language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'title', p.title,
    'author', p.author,
    'content', p.content,
    'image_url', p.image_url,
    'slug', p.slug,
    'published_at', p.published_at,
    'updated_at', p.updated_at,
    'is_published', coalesce(p.published_at <= now(), false),
    'expires_at', v.expires_at
  )
  from private.post_previews v join public.blog_posts p on p.id = v.post_id
  where v.key_digest = private.digest_of_key(key) and v.expires_at > now()
$$;

revoke all on function public.share_post(uuid), public.stop_sharing_post(uuid), public.shared_posts(), public.post_preview(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.share_post(uuid), public.stop_sharing_post(uuid), public.shared_posts() to authenticated;
grant execute on function public.post_preview(uuid) to anon, authenticated, service_role;

-- A post that is taken off the website is not shown at an address that was given away before its publication.
-- Security definer: nobody else may write the table.
create function private.end_preview() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.post_previews v where v.post_id = new.id;
  return null;
end
$$;
revoke all on function private.end_preview() from public;
create trigger end_preview after update of published_at on public.blog_posts
  for each row when (old.published_at <= now() and (new.published_at is null or new.published_at > now()))
  execute function private.end_preview();
