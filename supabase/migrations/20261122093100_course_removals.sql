-- The sitemap states when a course last lost a date: a deleted date has no time of its last change.

create table private.course_removals (
  course_name text primary key,
  removed_at timestamptz not null
);
alter table private.course_removals enable row level security;
revoke all on private.course_removals from public, anon, authenticated, service_role;

-- Security definer: nobody else may write the table.
create function private.note_removal() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.course_removals as r (course_name, removed_at) values (old.course_name, clock_timestamp())
  on conflict (course_name) do update set removed_at = excluded.removed_at;
  return null;
end
$$;
revoke all on function private.note_removal() from public;

create trigger note_removal after delete on public.course_dates
  for each row execute function private.note_removal();
create trigger note_removal_by_rename after update of course_name on public.course_dates
  for each row when (old.course_name is distinct from new.course_name) execute function private.note_removal();

-- Returns when each course last lost a date, by course name.
-- Security definer: the table is in a schema that visitors cannot read.
create function public.course_removals() returns json
  language sql stable security definer set search_path = ''
begin atomic
  select coalesce(json_object_agg(r.course_name, r.removed_at), '{}') from private.course_removals r;
end;
revoke all on function public.course_removals() from public;
grant execute on function public.course_removals() to anon, authenticated, service_role;
