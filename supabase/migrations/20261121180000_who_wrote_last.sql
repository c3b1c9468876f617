-- Visitors read dates and posts whole. Which account wrote them last is none of theirs: staff read it in the trail.

-- When a row was written: what an edit is checked against, so nobody overwrites what they have not seen.
create function private.stamp_change() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
revoke all on function private.stamp_change() from public;

drop trigger sign_change on public.course_dates;
drop trigger sign_change on public.blog_posts;
-- Not for how full the date is: a booking does not disturb whoever is editing its date.
create trigger stamp_change before insert or update of course_name, course_date, end_date, capacity, description, status
  on public.course_dates for each row execute function private.stamp_change();
create trigger stamp_change before insert or update on public.blog_posts
  for each row execute function private.stamp_change();

alter table public.course_dates drop column updated_by;
alter table public.blog_posts drop column updated_by;
