-- Waiting list: people who want a place on a full course date, in order. Only staff see it.

create table public.waiting_list (
  id uuid primary key default gen_random_uuid(),
  -- Restrict: staff tell people who wait before they delete the date.
  course_id uuid not null references public.course_dates (id) on delete restrict,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  email text check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 254),
  phone text check (phone ~ '\d.*\d.*\d' and char_length(phone) <= 40),
  places integer not null default 1 check (places between 1 and 999),
  note text check (char_length(note) <= 2000),
  -- The order within a date, with gaps. Set by join_waiting_list.
  position integer not null default 0,
  -- The last call about a free place; null before the first.
  called_at timestamptz check (called_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by uuid default auth.uid(),
  constraint waiting_list_can_be_reached check (email is not null or phone is not null),
  constraint waiting_list_position_once unique (course_id, position) deferrable
);
-- One entry per person and date, by e-mail address or phone number in any spelling.
create unique index waiting_list_email_once on public.waiting_list (course_id, lower(email));
create unique index waiting_list_phone_once on public.waiting_list
  (course_id, regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^((00)?44)?0*', ''));

alter table public.waiting_list enable row level security;
alter table public.waiting_list force row level security;
revoke all on public.waiting_list from anon, authenticated, service_role;
grant select, insert, update, delete on public.waiting_list to authenticated, service_role;

create policy "staff manage the waiting list" on public.waiting_list for all to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));

create sequence private.waiting_positions as integer;

-- Puts an entry at the end of the list of its date; the positions of all dates come from one sequence. It locks no date: an entry
-- that moves is locked already, and all other code locks the date before the entry.
-- Security definer: nobody else may use the sequence.
create function private.join_waiting_list() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.course_dates where id = new.course_id and status = 'cancelled') then
    raise sqlstate 'PT410' using message = 'This date is cancelled', hint = 'Choose another date.';
  end if;
  new.position := nextval('private.waiting_positions');
  return new;
end
$$;
revoke all on function private.join_waiting_list() from public;

-- The names put protect_columns between the two: it sees the position as the client sent it, on updates.
create trigger join_waiting_list before insert on public.waiting_list
  for each row execute function private.join_waiting_list();
create trigger protect_columns before update on public.waiting_list
  for each row execute function private.protect_columns('id', 'position', 'created_at', 'updated_at', 'updated_by');
create trigger rejoin_waiting_list before update on public.waiting_list
  for each row when (new.course_id <> old.course_id) execute function private.join_waiting_list();
create trigger stamp_update before insert or update on public.waiting_list
  for each row execute function private.stamp_update('position');

-- Swaps an entry with the one before or after it. Does nothing at the end of the list.
-- Security definer: clients may not write positions.
create function public.move_waiting(entry uuid, up boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  date_id uuid;
  own_position integer;
  neighbour integer;
begin
  perform private.require_staff();
  select course_id into date_id from public.waiting_list where id = entry;
  perform from public.course_dates where id = date_id for no key update;
  select position into own_position from public.waiting_list where id = entry and course_id = date_id;
  if own_position is null then
    raise sqlstate 'PT404' using message = 'This entry is no longer on the waiting list';
  end if;
  select case when up then max(position) filter (where position < own_position) else min(position) filter (where position > own_position) end
  into neighbour from public.waiting_list where course_id = date_id;
  update public.waiting_list set position = case position when own_position then neighbour else own_position end
  where neighbour is not null and course_id = date_id and position in (own_position, neighbour);
end
$$;
revoke all on function public.move_waiting(uuid, boolean) from public, anon;
grant execute on function public.move_waiting(uuid, boolean) to authenticated;

-- Turns an entry into a booking in one transaction and returns the id of the booking. Fails as any booking does.
create function public.book_waiting(entry uuid) returns uuid
  language plpgsql set search_path = ''
as $$
declare
  date_id uuid;
  waiting public.waiting_list;
  booking_id uuid;
begin
  select course_id into date_id from public.waiting_list where id = entry;
  -- Lock the date before the entry, as all other code does.
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
