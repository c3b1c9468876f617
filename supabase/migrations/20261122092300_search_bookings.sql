-- A search of all bookings by person: lists read only recent ones.

-- The query for a phone number in any form, or for all of the words or their beginnings; null if there is none. Reads the first 200
-- characters only: a query of a hundred thousand words overflows the stack of the embedded database.
create function private.person_query(words text) returns tsquery
  language sql immutable parallel safe set search_path = ''
as $$
  select case
    when regexp_replace(search, '[\s().+-]', '', 'g') ~ '^\d+$'
      then to_tsquery('simple'::regconfig, nullif(private.phone_digits(search), '') || ':*')
    else private.all_words(search) || private.all_words(private.without_apostrophes(search))
  end
  from left(words, 200) as search
$$;

-- Returns up to eight people who booked before and match all words or their beginnings, the latest first.
-- Security definer: with row-level security the search could not use its index.
create or replace function public.find_people(words text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  query constant tsquery := private.person_query(words);
  people json;
begin
  perform private.require_staff();
  with found as (
    select b.name, b.email, b.phone, b.company, max(b.created_at) as latest
    from public.bookings b
    where private.person_words(b.name, b.email, b.phone, b.company) @@ query
    group by b.name, b.email, b.phone, b.company
    order by latest desc limit 8
  )
  select coalesce(json_agg(json_build_object('name', name, 'email', email, 'phone', phone, 'company', company) order by latest desc), '[]')
  into people from found;
  return people;
end
$$;

-- Returns up to fifty bookings of course dates that start before a time and match all words or their beginnings, the latest first,
-- each with its course date as `course_dates`.
-- Security definer: with row-level security the search could not use its index.
create function public.search_bookings(words text, before timestamptz) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  query constant tsquery := private.person_query(words);
  bookings json;
begin
  perform private.require_staff();
  with found as (
    select b as booking, d as date
    from public.bookings b join public.course_dates d on d.id = b.course_id
    where private.person_words(b.name, b.email, b.phone, b.company) @@ query and d.course_date < before
    order by d.course_date desc, b.name, b.id limit 50
  )
  select coalesce(json_agg(to_jsonb(f.booking) || jsonb_build_object('course_dates', to_jsonb(f.date))
    order by (f.date).course_date desc, (f.booking).name, (f.booking).id), '[]')
  into bookings from found f;
  return bookings;
end
$$;

revoke all on function private.person_query(text) from public;
revoke all on function public.search_bookings(text, timestamptz) from public, anon;
grant execute on function public.search_bookings(text, timestamptz) to authenticated;
