create table public.course_dates (
  id uuid primary key default gen_random_uuid(),
  -- The fifteen names of the catalogue; a test holds this list and content/courses together.
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
  course_date timestamptz not null,
  capacity integer not null default 12 check (capacity >= 1),
  description text check (char_length(description) <= 2000),
  created_at timestamptz not null default now()
);
create index course_dates_course_date_idx on public.course_dates (course_date);
create index course_dates_course_name_idx on public.course_dates (course_name, course_date);

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

create trigger announce_change after insert or update or delete or truncate on public.course_dates
  for each statement execute function private.announce_change();
