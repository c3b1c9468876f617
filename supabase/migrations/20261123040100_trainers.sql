-- The trainer of a course date, who reads its register.

-- An account. Visitors can read it, as all of the table: it is a random number that names nobody. No foreign key: the value outlives the account.
alter table public.course_dates add column trainer_id uuid;
create index course_dates_trainer_id_idx on public.course_dates (trainer_id) where trainer_id is not null;

create policy "trainers read the active bookings of their dates" on public.bookings for select to authenticated
  using (
    (select private.is_trainer())
    and status = 'active'
    and course_id in (select d.id from public.course_dates d where d.trainer_id = (select auth.uid()))
  );

-- Returns a new key for the caller, shown once; an earlier one becomes invalid.
-- Security definer: nobody else may write the table.
create or replace function public.make_calendar_feed() returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  key uuid := gen_random_uuid();
begin
  perform private.require_signed_in();
  insert into private.calendar_feeds as f (user_id, key_digest) values (auth.uid(), private.digest_of_key(key))
  on conflict (user_id) do update set key_digest = excluded.key_digest, created_at = excluded.created_at;
  return key;
end
$$;

-- Makes the caller's key invalid.
-- Security definer: nobody else may write the table.
create or replace function public.remove_calendar_feed() returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_signed_in();
  delete from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;

-- Returns when the caller's key was made; null without one.
-- Security definer: nobody else may read the table.
create or replace function public.calendar_feed_made_at() returns timestamptz
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_signed_in();
  return (select f.created_at from private.calendar_feeds f where f.user_id = auth.uid());
end
$$;

-- Returns the course dates of the last three months and of the future as an array, without any customer, of a trainer only the own ones;
-- null unless the key belongs to somebody who can sign in.
-- Security definer: the key takes the place of a session.
create or replace function public.calendar_feed(key uuid) returns json
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
      select * from public.course_dates c
      where c.course_date > now() - interval '3 months' and (c.trainer_id = f.user_id or private.role_of(f.user_id) <> 'trainer')
      order by c.course_date, c.id limit 1000
    ) d
  )
  from private.calendar_feeds f
  where f.key_digest = private.digest_of_key(key) and f.user_id in (select private.active_staff())
$$;
