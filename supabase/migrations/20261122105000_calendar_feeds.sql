-- The course dates as a calendar that calendar programs subscribe to, at a secret address for each person.

create table private.calendar_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Only a digest, so that a copy of the database opens no calendar. The key is random, so it needs no salt.
  key_digest bytea not null unique,
  created_at timestamptz not null default now()
);
alter table private.calendar_feeds enable row level security;
revoke all on private.calendar_feeds from public, anon, authenticated, service_role;

create function private.digest_of_key(key uuid) returns bytea
  language sql immutable set search_path = ''
begin atomic
  select sha256(convert_to(key::text, 'UTF8'));
end;
revoke all on function private.digest_of_key(uuid) from public;

-- Returns a new key for the caller, shown once; an earlier one becomes invalid.
-- Security definer: nobody else may write the table.
create function public.make_calendar_feed() returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  key uuid := gen_random_uuid();
begin
  perform private.require_staff();
  insert into private.calendar_feeds as f (user_id, key_digest) values (auth.uid(), private.digest_of_key(key))
  on conflict (user_id) do update set key_digest = excluded.key_digest, created_at = excluded.created_at;
  return key;
end
$$;

-- Makes the caller's key invalid.
-- Security definer: nobody else may write the table.
create function public.remove_calendar_feed() returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  delete from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;

-- Returns when the caller's key was made; null without one.
-- Security definer: nobody else may read the table.
create function public.calendar_feed_made_at() returns timestamptz
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  return (select f.created_at from private.calendar_feeds f where f.user_id = auth.uid());
end
$$;

-- Returns the course dates of the last three months and of the future as an array, without any customer; null unless the key belongs
-- to a member of staff who can sign in.
-- Security definer: the key takes the place of a session.
create function public.calendar_feed(key uuid) returns json
  language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(json_agg(json_build_object(
        'id', d.id,
        'course_name', d.course_name,
        'course_date', d.course_date,
        'end_date', d.end_date,
        'status', d.status,
        'capacity', d.capacity,
        'places_taken', d.places_taken,
        'updated_at', d.updated_at
      ) order by d.course_date, d.id), '[]')
    from (
      select * from public.course_dates c where c.course_date > now() - interval '3 months' order by c.course_date, c.id limit 1000
    ) d
  )
  from private.calendar_feeds f
  where f.key_digest = private.digest_of_key(key) and f.user_id in (select private.active_staff())
$$;

revoke all on function public.make_calendar_feed(), public.remove_calendar_feed(), public.calendar_feed_made_at(), public.calendar_feed(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.make_calendar_feed(), public.remove_calendar_feed(), public.calendar_feed_made_at() to authenticated;
grant execute on function public.calendar_feed(uuid) to anon, authenticated, service_role;
