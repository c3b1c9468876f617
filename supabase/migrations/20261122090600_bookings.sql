-- Bookings of places on course dates. Only staff see them. A date never has more active places booked than its capacity.

create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references public.course_dates (id) on delete restrict,
  -- The enquiry that led to this booking. The booking stays when the enquiry is deleted.
  enquiry_id uuid references public.enquiries (id) on delete set null,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  email text check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 254),
  phone text check (phone ~ '\d.*\d.*\d' and char_length(phone) <= 40),
  company text check (char_length(btrim(company)) between 1 and 120),
  places integer not null default 1 check (places between 1 and 999),
  payment_status text not null default 'due' check (payment_status in ('due', 'paid')),
  payment_method text check (payment_method in ('cash', 'card', 'bank_transfer')),
  note text check (char_length(note) <= 2000),
  status text not null default 'active' check (status in ('active', 'cancelled')),
  created_at timestamptz not null default now() check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z'),
  updated_at timestamptz not null default clock_timestamp(),
  -- No foreign key: the value outlives the account.
  updated_by uuid default auth.uid(),
  constraint bookings_paid_somehow check (payment_status = 'due' or payment_method is not null)
);
create index bookings_course_id_idx on public.bookings (course_id);
create index bookings_enquiry_id_idx on public.bookings (enquiry_id) where enquiry_id is not null;
-- For retention.
create index bookings_created_at_idx on public.bookings (created_at);
-- For the list of unpaid bookings of a date.
create index bookings_due_idx on public.bookings (course_id) where status = 'active' and payment_status = 'due';

alter table public.bookings enable row level security;
alter table public.bookings force row level security;
revoke all on public.bookings from anon, authenticated;
grant select, insert, update, delete on public.bookings to authenticated, service_role;

create policy "staff manage bookings" on public.bookings for all to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));

-- Updates places_taken of the date. An AFTER trigger, because a row that ON CONFLICT skips has fired its BEFORE triggers.
-- Concurrent bookings of one date wait for the row lock of the date.
-- Security definer: nobody else may write places_taken.
create function private.count_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  freed integer := case when tg_op <> 'INSERT' and old.status = 'active' then old.places else 0 end;
  needed integer := case when tg_op <> 'DELETE' and new.status = 'active' then new.places else 0 end;
  remaining integer;
begin
  if tg_op = 'UPDATE' and new.course_id <> old.course_id then
    -- Lock both dates in one order, so that two moves in opposite directions do not deadlock.
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

create function private.count_no_places() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.course_dates set places_taken = 0 where places_taken <> 0;
  return null;
end
$$;

-- Refuses bookings of a cancelled date; the bookings it already has stay. An AFTER trigger whose name sorts after count_places,
-- so that locks are taken in the same order everywhere.
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

-- Sets the status of the enquiry that led to a booking, in the same transaction. An enquiry can be booked again only when its
-- booking was cancelled or deleted.
-- Security definer: it must work for every writer of a booking.
create function private.mark_enquiry_booked() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Two bookings of one enquiry wait for this lock. Not a stronger lock: each already holds that of its foreign key.
  perform from public.enquiries where id = new.enquiry_id for no key update;
  if new.status = 'active' and exists (
    select from public.bookings b where b.enquiry_id = new.enquiry_id and b.id <> new.id and b.status = 'active'
  ) then
    raise sqlstate 'PT422' using message = 'This enquiry was booked already', hint = 'Look at its booking.';
  end if;
  update public.enquiries set status = 'booked' where id = new.enquiry_id and status <> 'booked';
  return null;
end
$$;

create trigger count_places after insert or delete or update of course_id, places, status on public.bookings
  for each row execute function private.count_places();
create trigger count_no_places after truncate on public.bookings
  for each statement execute function private.count_no_places();
create trigger refuse_cancelled_date_insert after insert on public.bookings
  for each row when (new.status = 'active') execute function private.refuse_cancelled_date();
create trigger refuse_cancelled_date_update after update on public.bookings
  for each row when (new.status = 'active' and (old.status <> 'active' or old.course_id <> new.course_id))
  execute function private.refuse_cancelled_date();
create trigger mark_enquiry_booked after insert on public.bookings
  for each row when (new.enquiry_id is not null) execute function private.mark_enquiry_booked();
create trigger protect_columns before update on public.bookings
  for each row execute function private.protect_columns('id', 'enquiry_id', 'created_at', 'updated_at', 'updated_by');
create trigger stamp_update before insert or update on public.bookings
  for each row execute function private.stamp_update();

-- The words by which a booking is found: of its name, e-mail and company, and the digits of its phone number.
create function private.booking_words(name text, email text, phone text, company text) returns tsvector
  language sql immutable parallel safe set search_path = ''
as $$
  select to_tsvector('simple'::regconfig,
    regexp_replace(lower(concat_ws(' ', name, email, company)), '[^[:alnum:]]+', ' ', 'g')
      || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g'))
$$;
create index bookings_words_idx on public.bookings using gin (private.booking_words(name, email, phone, company));

-- Returns up to eight people who booked before and match all words or their beginnings, the latest first. Reads the first 200
-- characters only: a query of a hundred thousand words overflows the stack of the embedded database.
-- Security definer: with row-level security the search could not use its index.
create function public.find_people(words text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  search constant text := left(words, 200);
  digits constant text := regexp_replace(search, '[\s().+-]', '', 'g');
  query tsquery;
  people json;
begin
  perform private.require_staff();
  if digits ~ '^\d+$' then
    query := to_tsquery('simple'::regconfig, digits || ':*');
  else
    select to_tsquery('simple'::regconfig, string_agg(word || ':*', ' & ')) into query
    from regexp_split_to_table(lower(search), '[^[:alnum:]]+') as word
    where word <> '';
  end if;
  with found as (
    select b.name, b.email, b.phone, b.company, max(b.created_at) as latest
    from public.bookings b
    where private.booking_words(b.name, b.email, b.phone, b.company) @@ query
    group by b.name, b.email, b.phone, b.company
    order by latest desc limit 8
  )
  select coalesce(json_agg(json_build_object('name', name, 'email', email, 'phone', phone, 'company', company) order by latest desc), '[]')
  into people from found;
  return people;
end
$$;

revoke all on all functions in schema private from public;
-- Writers of a booking compute its index entry.
grant execute on function private.booking_words(text, text, text, text) to authenticated, service_role;
revoke all on function public.find_people(text) from public, anon;
grant execute on function public.find_people(text) to authenticated;
