-- A booking is found by a phone number in any form and by a name with or without its apostrophe.

-- The national form of a British number, else the digits with the country code.
create function private.phone_digits(phone text) returns text
  language sql immutable parallel safe set search_path = ''
as $$
  select regexp_replace(regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^00', ''), '^440?', '0')
$$;

create function private.without_apostrophes(words text) returns text
  language sql immutable parallel safe set search_path = ''
as $$
  select translate(words, '''’‘`', '')
$$;

-- The words by which a booking is found: of its name, e-mail and company, and its phone number with and without the leading zero.
create function private.person_words(name text, email text, phone text, company text) returns tsvector
  language sql immutable parallel safe set search_path = ''
as $$
  select to_tsvector('simple'::regconfig,
    regexp_replace(lower(concat_ws(' ', name, email, company, private.without_apostrophes(concat_ws(' ', name, company)))), '[^[:alnum:]]+', ' ', 'g')
      || ' ' || coalesce(private.phone_digits(phone), '') || ' ' || coalesce(ltrim(private.phone_digits(phone), '0'), ''))
$$;
grant execute on function private.phone_digits(text), private.without_apostrophes(text) to authenticated, service_role;
grant execute on function private.person_words(text, text, text, text) to authenticated, service_role;
revoke all on function private.phone_digits(text), private.without_apostrophes(text), private.person_words(text, text, text, text) from public;

create index bookings_person_words_idx on public.bookings using gin (private.person_words(name, email, phone, company));
drop index public.bookings_words_idx;

-- The query for all of these words or their beginnings; null if there is none.
create function private.all_words(words text) returns tsquery
  language sql immutable parallel safe set search_path = ''
as $$
  select to_tsquery('simple'::regconfig, string_agg(word || ':*', ' & '))
  from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
  where word <> ''
$$;
revoke all on function private.all_words(text) from public;

-- Returns up to eight people who booked before and match all words or their beginnings, the latest first. Reads the first 200
-- characters only: a query of a hundred thousand words overflows the stack of the embedded database.
-- Security definer: with row-level security the search could not use its index.
create or replace function public.find_people(words text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  search constant text := left(words, 200);
  query tsquery;
  people json;
begin
  perform private.require_staff();
  if regexp_replace(search, '[\s().+-]', '', 'g') ~ '^\d+$' then
    query := to_tsquery('simple'::regconfig, nullif(private.phone_digits(search), '') || ':*');
  else
    query := private.all_words(search) || private.all_words(private.without_apostrophes(search));
  end if;
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

drop function private.booking_words(text, text, text, text);
