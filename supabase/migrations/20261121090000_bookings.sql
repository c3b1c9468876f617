-- Bookings as the office takes them, and the rule that a date never has more active places booked than it holds.

-- How full a date is stands on the date itself: the public may read it without seeing a booking, the rule is a check of one row,
-- and that row is the lock two bookings for the last place meet at.
alter table public.course_dates
  add column places_taken integer not null default 0,
  add column places_left integer generated always as (capacity - places_taken) stored;

alter table public.bookings
  -- Bookings made before this migration have no name; new ones must.
  add column name text not null default 'Name not recorded' check (char_length(btrim(name)) between 1 and 120),
  add column email text check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 254),
  add column phone text check (phone ~ '\d.*\d.*\d' and char_length(phone) <= 40),
  add column company text check (char_length(btrim(company)) between 1 and 120),
  add column places integer not null default 1 check (places between 1 and 999),
  add column payment_status text not null default 'due' check (payment_status in ('due', 'paid')),
  add column payment_method text check (payment_method in ('cash', 'card', 'bank_transfer')),
  add column note text check (char_length(note) <= 2000),
  add column status text not null default 'active' check (status in ('active', 'cancelled')),
  add column updated_at timestamptz not null default clock_timestamp(),
  -- Who wrote it last; no foreign key, since the answer outlives the account.
  add column updated_by uuid default auth.uid(),
  add constraint bookings_paid_somehow check (payment_status = 'due' or payment_method is not null);
alter table public.bookings alter column name drop default;

-- A date that was overbooked before the rule holds as many as it has.
update public.course_dates d
set places_taken = booked.places, capacity = greatest(d.capacity, booked.places)
from (select course_id, sum(places)::integer as places from public.bookings group by course_id) as booked
where booked.course_id = d.id;
alter table public.course_dates add constraint course_dates_places_within_capacity check (places_taken between 0 and capacity);

-- Keeps places_taken true. After the row, because a row that ON CONFLICT leaves out has had its BEFORE triggers all the same.
-- Security definer because nobody else may write places_taken.
create function private.count_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  freed integer := case when tg_op <> 'INSERT' and old.status = 'active' then old.places else 0 end;
  needed integer := case when tg_op <> 'DELETE' and new.status = 'active' then new.places else 0 end;
  remaining integer;
begin
  if tg_op = 'UPDATE' and new.course_id <> old.course_id then
    -- Both dates in one order, so that two moves in opposite directions never wait for each other.
    perform from public.course_dates where id in (old.course_id, new.course_id) order by id for no key update;
  end if;
  if tg_op <> 'INSERT' then
    update public.course_dates set places_taken = places_taken - freed where id = old.course_id;
  end if;
  if needed > 0 then
    select places_left into remaining from public.course_dates where id = new.course_id for no key update;
    if needed > remaining then
      raise sqlstate 'PT409' using
        message = format('Not enough places: %s wanted, %s left', needed, remaining),
        detail = remaining,
        hint = 'Choose another date or fewer places.';
    end if;
    update public.course_dates set places_taken = places_taken + needed where id = new.course_id;
  end if;
  return null;
end
$$;
revoke all on function private.count_places() from public;

create trigger count_places after insert or delete or update of course_id, places, status on public.bookings
  for each row execute function private.count_places();

create function private.count_no_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.course_dates set places_taken = 0 where places_taken <> 0;
  return null;
end
$$;
revoke all on function private.count_no_places() from public;

create trigger count_no_places after truncate on public.bookings
  for each statement execute function private.count_no_places();

-- The check would refuse it too; this says how many places are taken.
create function private.keep_capacity() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.capacity < new.places_taken then
    raise sqlstate 'PT409' using
      message = format('Capacity too low: %s places are booked', new.places_taken),
      detail = new.places_taken,
      hint = 'Cancel or move bookings first.';
  end if;
  return new;
end
$$;
revoke all on function private.keep_capacity() from public;

create trigger keep_capacity before update of capacity on public.course_dates
  for each row execute function private.keep_capacity();

-- Who wrote a row last, and when: what an edit is checked against, so nobody overwrites what they have not seen.
create function private.sign_change() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  new.updated_by := auth.uid();
  return new;
end
$$;
revoke all on function private.sign_change() from public;

create trigger sign_change before insert or update on public.bookings
  for each row execute function private.sign_change();

-- Column by column: how full a date is and who changed a booking are nobody's to write.
revoke insert, update on public.course_dates, public.bookings from authenticated, service_role;
grant insert (id, course_name, course_date, capacity, description, created_at) on public.course_dates to authenticated, service_role;
grant update (course_name, course_date, capacity, description) on public.course_dates to authenticated, service_role;
grant insert (id, course_id, name, email, phone, company, places, payment_status, payment_method, note, status, created_at)
  on public.bookings to authenticated, service_role;
grant update (course_id, name, email, phone, company, places, payment_status, payment_method, note, status)
  on public.bookings to authenticated, service_role;

-- What a booking is found by: the words of name, e-mail and company, and the phone number without its spaces.
create function private.booking_words(name text, email text, phone text, company text) returns tsvector
  language sql immutable parallel safe set search_path = ''
as $$
  select to_tsvector('simple'::regconfig,
    regexp_replace(lower(concat_ws(' ', name, email, company)), '[^[:alnum:]]+', ' ', 'g')
      || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g'))
$$;
revoke all on function private.booking_words(text, text, text, text) from public;
-- Whoever writes a booking runs it for the index.
grant execute on function private.booking_words(text, text, text, text) to authenticated, service_role;
create index bookings_words_idx on public.bookings using gin (private.booking_words(name, email, phone, company));

-- People who booked before and have every one of these words, or the beginning of it; the latest first, eight at most.
-- Security definer because row-level security keeps the search from its index.
create function public.find_people(words text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  digits text := regexp_replace(words, '[\s().+-]', '', 'g');
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
    from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
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
revoke all on function public.find_people(text) from public, anon;
grant execute on function public.find_people(text) to authenticated;
