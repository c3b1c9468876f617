-- Times that every calendar knows, as posts have them already: a date at infinity, or in a year of five digits, is none a page can show.
alter table public.course_dates
  add constraint course_dates_course_date_check check (course_date between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  add constraint course_dates_end_date_check check (end_date between '2000-01-01' and '9999-12-30'),
  add constraint course_dates_created_at_check check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z');
alter table public.bookings
  add constraint bookings_created_at_check check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z');
alter table public.blog_posts
  add constraint blog_posts_created_at_check check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z');
alter table public.waiting_list
  add constraint waiting_list_called_at_check check (called_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z');

-- People who booked before and have every one of these words, or the beginning of it; the latest first, eight at most. Of what is
-- asked for only the first 200 characters count: a search for a hundred thousand words is deeper than the embedded database's stack.
-- Security definer because row-level security keeps the search from its index.
create or replace function public.find_people(words text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  asked text := left(words, 200);
  digits text := regexp_replace(asked, '[\s().+-]', '', 'g');
  wanted tsquery;
  answer json;
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  if digits ~ '^\d+$' then
    wanted := to_tsquery('simple'::regconfig, digits || ':*');
  else
    select to_tsquery('simple'::regconfig, string_agg(word || ':*', ' & ')) into wanted
    from regexp_split_to_table(lower(asked), '[^[:alnum:]]+') as word
    where word <> '';
  end if;
  with found as (
    select b.name, b.email, b.phone, b.company, max(b.created_at) as latest
    from public.bookings b
    where private.booking_words(b.name, b.email, b.phone, b.company) @@ wanted
    group by b.name, b.email, b.phone, b.company
    order by latest desc limit 8
  )
  select coalesce(json_agg(json_build_object('name', name, 'email', email, 'phone', phone, 'company', company) order by latest desc), '[]')
  into answer from found;
  return answer;
end
$$;
