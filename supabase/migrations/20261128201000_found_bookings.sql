-- The search also returns the booking of a person, null on a waiting list.

-- Returns up to six people with their latest booking, course dates, enquiries and posts that match. `words` is the whole text. If a part of it names
-- days, `days` are those days and `rest` are the other words. `courses` are the courses that the other words name, null without words.
-- Security definer: with row-level security the search could not use its indexes.
create or replace function public.search_portal(words text, rest text default null, days date[] default null, courses text[] default null) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  query constant tsquery := private.person_query(words);
  rest_query constant tsquery := private.person_query(rest);
  people json;
  dates json;
  enquiries json;
  posts json;
begin
  perform private.require_staff();

  with found as (
    select b.id, b.name, b.phone, b.email, b.company, b.course_id, d.course_name, d.course_date, false as waits
    from public.bookings b join public.course_dates d on d.id = b.course_id
    where private.person_words(b.name, b.email, b.phone, b.company) @@ query
      or private.person_words(b.name, b.email, b.phone, b.company) @@ rest_query
        and (d.course_date at time zone 'Europe/London')::date = any (days)
    union all
    select null::uuid, w.name, w.phone, w.email, null, w.course_id, d.course_name, d.course_date, true
    from public.waiting_list w join public.course_dates d on d.id = w.course_id
    where private.person_words(w.name, w.email, w.phone, null) @@ query
  ), persons as (
    -- The latest date of each person, and how many there are.
    select distinct on (f.name, f.phone, f.email) f.*, count(*) over (partition by f.name, f.phone, f.email) as number
    from found f order by f.name, f.phone, f.email, f.course_date desc
  ), latest as (
    select * from persons p order by p.course_date desc, p.name limit 6
  )
  select coalesce(json_agg(l order by l.course_date desc, l.name), '[]') into people from latest l;

  with found as (
    select d.id, d.course_name, d.course_date, d.status, d.places_taken, d.capacity
    from public.course_dates d
    where (days is not null or courses is not null)
      and (courses is null or d.course_name = any (courses))
      and (days is null or (d.course_date at time zone 'Europe/London')::date = any (days))
    -- Upcoming dates first, then the latest past ones.
    order by d.course_date < private.now(), abs(extract(epoch from d.course_date - private.now())) limit 6
  )
  select coalesce(json_agg(f), '[]') into dates from found f;

  with found as (
    select e.id, e.name, e.reply_to, e.course_name, e.status, e.created_at
    from public.enquiries e
    where private.person_words(e.name, e.reply_to, e.reply_to, e.message || ' ' || coalesce(e.note, '')) @@ query
    order by e.created_at desc limit 6
  )
  select coalesce(json_agg(f), '[]') into enquiries from found f;

  with found as (
    select p.id, p.title, p.author, p.published_at
    from public.blog_posts p
    where private.person_words(p.title, null, null, p.author) @@ query
    order by p.created_at desc limit 6
  )
  select coalesce(json_agg(f), '[]') into posts from found f;

  return json_build_object('people', people, 'dates', dates, 'enquiries', enquiries, 'posts', posts);
end
$$;
