create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  -- Restrict: a date with bookings cannot go, whoever asks and however.
  course_id uuid not null references public.course_dates (id) on delete restrict,
  created_at timestamptz not null default now()
);
create index bookings_course_id_idx on public.bookings (course_id);

alter table public.bookings enable row level security;
alter table public.bookings force row level security;
revoke all on public.bookings from anon, authenticated;
grant select, insert, update, delete on public.bookings to authenticated, service_role;

create policy "staff manage bookings" on public.bookings for all to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
