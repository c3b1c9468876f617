-- Held places: while the office allows it, a request for places holds them for some hours. A hold counts in places_taken like a booking,
-- ends by itself, and ends earlier when the request is booked, closed or deleted. A transaction that changes a request and the places of its
-- date locks the request first: two people who close and book one held request at the same time would wait for each other.

create table private.hold_settings (
  only_row boolean primary key default true check (only_row),
  -- The hours for which a request holds its places; null if it holds none.
  hours integer check (hours between 1 and 168)
);
insert into private.hold_settings (hours) values (null);
alter table private.hold_settings enable row level security;
revoke all on private.hold_settings from public, anon, authenticated, service_role;

alter table public.enquiries
  add column held_until timestamptz,
  add constraint enquiries_hold_is_for_places check (held_until is null or request = 'place');
create index enquiries_held_until_idx on public.enquiries (held_until) where held_until is not null;

-- The end of a hold is no edit: the version of the enquiry stays, and the change log has no entry.
drop trigger stamp_update on public.enquiries;
create trigger stamp_update before update on public.enquiries
  for each row execute function private.stamp_update('held_until');
drop trigger record_change on public.enquiries;
create trigger record_change after update on public.enquiries
  for each row when ((to_jsonb(old) - '{updated_at,updated_by,held_until}'::text[]) is distinct from (to_jsonb(new) - '{updated_at,updated_by,held_until}'::text[]))
  execute function private.record_change();

-- Security definer: nobody else may write places_taken.
create function private.count_held_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' and old.held_until is not null then
    update public.course_dates set places_taken = places_taken - old.places where id = old.course_id;
  end if;
  if tg_op <> 'DELETE' and new.held_until is not null then
    update public.course_dates set places_taken = places_taken + new.places where id = new.course_id;
  end if;
  return null;
end
$$;
create trigger count_held_places after insert or delete on public.enquiries
  for each row execute function private.count_held_places();
-- Adding a date to a held request, or removing it, also counts its places.
create trigger count_changed_hold after update of held_until, course_id on public.enquiries
  for each row when ((old.held_until, old.course_id) is distinct from (new.held_until, new.course_id)) execute function private.count_held_places();

-- After a truncation, counts the rows that are left.
create or replace function private.count_no_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.course_dates d set places_taken = counted.places
  from (
    select each.id,
      (select coalesce(sum(b.places), 0) from public.bookings b where b.course_id = each.id and b.status = 'active')
      + (select coalesce(sum(e.places), 0) from public.enquiries e where e.course_id = each.id and e.held_until is not null) as places
    from public.course_dates each
  ) as counted
  where counted.id = d.id and d.places_taken <> counted.places;
  return null;
end
$$;
create trigger count_no_places after truncate on public.enquiries
  for each statement execute function private.count_no_places();

-- The places of a hold are free for the booking of its request, on whatever date.
create function private.release_hold_of_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Also without a hold: mark_enquiry_booked locks the enquiry after count_places locked the date.
  perform from public.enquiries where id = new.enquiry_id for no key update;
  update public.enquiries set held_until = null where id = new.enquiry_id and held_until is not null;
  return new;
end
$$;
create trigger release_hold before insert on public.bookings
  for each row when (new.enquiry_id is not null) execute function private.release_hold_of_booking();
-- Only one booking of an enquiry is active, also when a cancelled one is made active again: the same two triggers as for a new booking.
create trigger release_hold_again before update of status on public.bookings
  for each row when (new.status = 'active' and old.status <> 'active' and new.enquiry_id is not null)
  execute function private.release_hold_of_booking();
create trigger mark_enquiry_booked_again after update of status on public.bookings
  for each row when (new.status = 'active' and old.status <> 'active' and new.enquiry_id is not null)
  execute function private.mark_enquiry_booked();

create function private.release_closed_hold() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.enquiries set held_until = null where id = new.id;
  return null;
end
$$;
create trigger release_closed_hold after update of status on public.enquiries
  for each row when (new.status in ('booked', 'closed') and new.held_until is not null) execute function private.release_closed_hold();

-- Releases the holds of one date whose time is over; with null, of deleted dates. Skips an enquiry that somebody else is changing: the next
-- call releases it.
create function private.release_holds_of(date_id uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.course_dates where id = date_id for no key update;
  update public.enquiries set held_until = null where id in (
    select e.id from public.enquiries e
    where e.course_id is not distinct from date_id and e.held_until <= private.now() for no key update skip locked
  );
end
$$;

-- Releases all holds whose time is over.
create function public.release_holds() returns void
  language sql security definer set search_path = ''
as $$
  select private.release_holds_of(over.course_id)
  from (select distinct e.course_id from public.enquiries e where e.held_until <= private.now() order by e.course_id) as over
$$;

-- A hold whose time is over stands in the way of no booking, also not of one that moves, becomes active again or gets more places.
create function private.release_holds_before_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.enquiries e where e.course_id = new.course_id and e.held_until <= private.now()) then
    if tg_op = 'UPDATE' then
      -- In the order of count_places.
      perform from public.course_dates where id in (old.course_id, new.course_id) order by id for no key update;
    end if;
    perform private.release_holds_of(new.course_id);
  end if;
  return new;
end
$$;
create trigger release_over_holds before insert or update of course_id, places, status on public.bookings
  for each row when (new.status = 'active') execute function private.release_holds_before_booking();

-- Returns for how many hours a request holds its places; null if it holds none.
create function public.hold_hours() returns integer
  language sql stable security definer set search_path = ''
as $$
  select hours from private.hold_settings
$$;

-- Sets for how many hours later requests hold their places, or with null that they hold none. Earlier holds keep their time.
create function public.set_hold_hours(hours integer default null) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  update private.hold_settings set hours = set_hold_hours.hours where only_row;
end
$$;

revoke all on function private.count_held_places(), private.release_hold_of_booking(), private.release_closed_hold(),
  private.release_holds_of(uuid), private.release_holds_before_booking() from public;
revoke all on function public.release_holds(), public.hold_hours(), public.set_hold_hours(integer) from public, anon, authenticated;
grant execute on function public.release_holds() to service_role;
grant execute on function public.hold_hours() to anon, authenticated, service_role;
grant execute on function public.set_hold_hours(integer) to authenticated;

-- Our server calls release_holds every minute. A hosted project does so itself where pg_cron is installed.
do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    perform cron.schedule('release-holds', '* * * * *', 'select public.release_holds()');
  end if;
end
$$;
