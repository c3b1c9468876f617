-- Who waits for a place on a date, in order. Staff alone see it.

create table public.waiting_list (
  id uuid primary key default gen_random_uuid(),
  -- Restrict: a date people wait for does not go without somebody ringing them.
  course_id uuid not null references public.course_dates (id) on delete restrict,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  email text check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 254),
  phone text check (phone ~ '\d.*\d.*\d' and char_length(phone) <= 40),
  places integer not null default 1 check (places between 1 and 999),
  note text check (char_length(note) <= 2000),
  -- The order alone; numbers may be missing. Given by join_waiting_list.
  position integer not null default 0,
  -- When they were last rung about a place; null while they are not.
  called_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by uuid default auth.uid(),
  constraint waiting_list_can_be_reached check (email is not null or phone is not null),
  constraint waiting_list_position_once unique (course_id, position) deferrable
);
-- The same person twice is the same e-mail address or phone number, however it is written.
create unique index waiting_list_email_once on public.waiting_list (course_id, lower(email));
create unique index waiting_list_phone_once on public.waiting_list
  (course_id, regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^((00)?44)?0*', ''));

alter table public.waiting_list enable row level security;
alter table public.waiting_list force row level security;
revoke all on public.waiting_list from anon, authenticated, service_role;
-- Column by column: the order is changed by move_waiting alone, and who changed an entry is nobody's to write.
grant select, delete on public.waiting_list to authenticated, service_role;
grant insert (course_id, name, email, phone, places, note) on public.waiting_list to authenticated, service_role;
grant update (course_id, name, email, phone, places, note, called_at) on public.waiting_list to authenticated, service_role;

create policy "staff manage the waiting list" on public.waiting_list for all to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));

create sequence private.waiting_positions as integer;

-- Puts who comes to a date at the end of its line: the numbers of all lines come from one sequence. It locks no date: an entry that
-- moves is locked already, and everything else takes the date before the entry.
-- Security definer because the position is nobody's to write.
create function private.join_waiting_list() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  standing text;
begin
  select status into standing from public.course_dates where id = new.course_id;
  if standing = 'cancelled' then
    raise sqlstate 'PT410' using message = 'This date is cancelled', hint = 'Choose another date.';
  end if;
  new.position := nextval('private.waiting_positions');
  return new;
end
$$;
revoke all on function private.join_waiting_list() from public;

create trigger join_waiting_list_insert before insert on public.waiting_list
  for each row execute function private.join_waiting_list();
create trigger join_waiting_list_update before update on public.waiting_list
  for each row when (new.course_id <> old.course_id) execute function private.join_waiting_list();

-- Not for the order: a move does not disturb whoever is editing an entry.
create trigger sign_change before insert or update of course_id, name, email, phone, places, note, called_at
  on public.waiting_list for each row execute function private.sign_change();

-- Lets an entry change places with the one before or after it; at the end of the line nothing changes.
create function public.move_waiting(entry uuid, up boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  date_id uuid;
  mine integer;
  neighbour integer;
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  select course_id into date_id from public.waiting_list where id = entry;
  perform from public.course_dates where id = date_id for no key update;
  select position into mine from public.waiting_list where id = entry and course_id = date_id;
  if mine is null then
    raise sqlstate 'PT404' using message = 'This entry is no longer on the waiting list';
  end if;
  select case when up then max(position) filter (where position < mine) else min(position) filter (where position > mine) end
  into neighbour from public.waiting_list where course_id = date_id;
  update public.waiting_list set position = case position when mine then neighbour else mine end
  where neighbour is not null and course_id = date_id and position in (mine, neighbour);
end
$$;
revoke all on function public.move_waiting(uuid, boolean) from public, anon;
grant execute on function public.move_waiting(uuid, boolean) to authenticated;

-- Makes a booking of an entry and takes it off the list, both or neither; gives the booking's id. Fails as any booking does.
create function public.book_waiting(entry uuid) returns uuid
  language plpgsql set search_path = ''
as $$
declare
  date_id uuid;
  waiting public.waiting_list;
  booking_id uuid;
begin
  select course_id into date_id from public.waiting_list where id = entry;
  -- The date before the entry, as everywhere, so that no two wait for each other.
  perform from public.course_dates where id = date_id for no key update;
  delete from public.waiting_list where id = entry and course_id = date_id returning * into waiting;
  if waiting.id is null then
    raise sqlstate 'PT404' using message = 'This entry is no longer on the waiting list';
  end if;
  insert into public.bookings (course_id, name, email, phone, places, note)
  values (waiting.course_id, waiting.name, waiting.email, waiting.phone, waiting.places, waiting.note)
  returning id into booking_id;
  return booking_id;
end
$$;
revoke all on function public.book_waiting(uuid) from public, anon;
grant execute on function public.book_waiting(uuid) to authenticated, service_role;

-- An entry that came to nothing is kept as long as an enquiry that led to no booking.
create function private.forget_waiting() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.waiting_list where id in (
    select w.id from public.waiting_list w join public.course_dates d on d.id = w.course_id
    where w.created_at < now() - interval '12 months' and d.course_date < now()
    limit 1000 for update of w skip locked
  );
  return null;
end
$$;
revoke all on function private.forget_waiting() from public;

create trigger forget_waiting after insert on public.waiting_list
  for each statement execute function private.forget_waiting();
create trigger forget_waiting after insert on public.bookings
  for each statement execute function private.forget_waiting();
