-- Course dates: scheduled runs of a course. Everybody reads them, staff edit them.

create table public.course_dates (
  id uuid primary key default gen_random_uuid(),
  -- A test compares this list with content/courses.
  course_name text not null check (course_name in (
    'Lvl 2 Door Supervisor',
    'Lvl 2 Security Officer',
    'Lvl 2 CCTV',
    'Lvl 3 Close Protection',
    'Door Supervisor Refresher Course',
    'Security Officer Refresher Course',
    'Emergency First Aid',
    'Emergency First Aid Work Level 3',
    'First Aid at Work',
    'First Aid at Work Level 3',
    'Annual First Aid Refresher Course',
    'Health & Safety in Workplace Level 1',
    'Manual Handling',
    'Safeguarding Awareness Training Level 1',
    'Safeguarding Lead Training Level 3'
  )),
  -- Times are limited to what a page can show: no infinity, no years of five digits.
  course_date timestamptz not null check (course_date between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  -- Null where the course ends as its duration says.
  end_date date check (end_date between '2000-01-01' and '9999-12-30'),
  capacity integer not null default 12 check (capacity >= 1),
  description text check (char_length(description) <= 2000),
  status text not null default 'open' check (status in ('open', 'confirmed', 'full', 'cancelled', 'postponed')),
  -- The places of all active bookings, stored here so that visitors can read them without seeing bookings.
  places_taken integer not null default 0,
  places_left integer generated always as (capacity - places_taken) stored,
  created_at timestamptz not null default now() check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  updated_at timestamptz not null default clock_timestamp(),
  constraint course_dates_end_after_start check (end_date >= (course_date at time zone 'Europe/London')::date),
  constraint course_dates_places_within_capacity check (places_taken between 0 and capacity)
);
create index course_dates_course_date_idx on public.course_dates (course_date);
create index course_dates_course_name_idx on public.course_dates (course_name, course_date);
-- For courses of several days that are still running.
create index course_dates_end_date_idx on public.course_dates (end_date) where end_date is not null;

alter table public.course_dates enable row level security;
alter table public.course_dates force row level security;
revoke all on public.course_dates from anon, authenticated;
grant select on public.course_dates to anon;
grant select, insert, update, delete on public.course_dates to authenticated, service_role;

create policy "everyone reads dates" on public.course_dates for select to anon, authenticated using (true);
create policy "staff add dates" on public.course_dates for insert to authenticated with check ((select private.is_staff()));
create policy "staff change dates" on public.course_dates for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff delete dates" on public.course_dates for delete to authenticated using ((select private.is_staff()));

-- Reports the number of booked places when the capacity is too low; the check constraint would refuse it without that.
create function private.check_capacity() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'INSERT' and new.places_taken <> 0 then
    raise insufficient_privilege using message = 'places_taken is counted from bookings';
  end if;
  if new.capacity < new.places_taken then
    raise sqlstate 'PT409' using
      message = format('Capacity too low: %s places are booked', new.places_taken),
      detail = new.places_taken,
      hint = 'Cancel or move bookings first.';
  end if;
  return new;
end
$$;
revoke all on function private.check_capacity() from public;

create trigger announce_change after insert or update or delete or truncate on public.course_dates
  for each statement execute function private.announce_change();
create trigger check_capacity before insert or update of capacity on public.course_dates
  for each row execute function private.check_capacity();
create trigger protect_columns before update on public.course_dates
  for each row execute function private.protect_columns('id', 'places_taken', 'created_at', 'updated_at');
create trigger stamp_update before insert or update on public.course_dates
  for each row execute function private.stamp_update('places_taken', 'places_left');
