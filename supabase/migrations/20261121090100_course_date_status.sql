-- Course dates and posts that are changed after they were made: how a date stands, when it ends, and when a row was last written.

alter table public.course_dates
  -- Null where the course is over on the day its duration says.
  add column end_date date,
  add column status text not null default 'open' check (status in ('open', 'confirmed', 'full', 'cancelled', 'postponed')),
  add column updated_at timestamptz not null default clock_timestamp(),
  add column updated_by uuid default auth.uid(),
  -- Days as they are in Britain, where the courses run.
  add constraint course_dates_end_after_start check (end_date >= (course_date at time zone 'Europe/London')::date);

-- Not for how full the date is: a booking does not disturb whoever is editing its date.
create trigger sign_change before insert or update of course_name, course_date, end_date, capacity, description, status
  on public.course_dates for each row execute function private.sign_change();

revoke insert, update on public.course_dates from authenticated, service_role;
grant insert (id, course_name, course_date, end_date, capacity, description, status, created_at)
  on public.course_dates to authenticated, service_role;
grant update (course_name, course_date, end_date, capacity, description, status) on public.course_dates to authenticated, service_role;

-- A date that is cancelled takes nobody, whoever asks and however; those it has stay, to be moved or rung.
-- After the row and, by its name, after count_places: that takes the locks in an order no two moves can wait for each other in.
create function private.refuse_cancelled_date() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.course_dates where id = new.course_id and status = 'cancelled') then
    raise sqlstate 'PT410' using message = 'This date is cancelled', hint = 'Choose another date.';
  end if;
  return null;
end
$$;
revoke all on function private.refuse_cancelled_date() from public;

create trigger refuse_cancelled_date_insert after insert on public.bookings
  for each row when (new.status = 'active') execute function private.refuse_cancelled_date();
create trigger refuse_cancelled_date_update after update on public.bookings
  for each row when (new.status = 'active' and (old.status <> 'active' or old.course_id <> new.course_id))
  execute function private.refuse_cancelled_date();

alter table public.blog_posts
  add column updated_at timestamptz not null default clock_timestamp(),
  add column updated_by uuid default auth.uid();

create trigger sign_change before insert or update on public.blog_posts
  for each row execute function private.sign_change();

-- A post's address is in other people's links and search results.
create function private.keep_slug() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise sqlstate 'PT409' using message = 'The address of a published post never changes', hint = 'Publish another post at the new address.';
end
$$;
revoke all on function private.keep_slug() from public;

create trigger keep_slug before update on public.blog_posts
  for each row when (new.slug <> old.slug) execute function private.keep_slug();
