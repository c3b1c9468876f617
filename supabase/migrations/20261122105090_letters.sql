-- Letters: mails to learners and enquirers (decision 039). The triggers below queue a letter in the transaction that causes it. The edge
-- function send-letters claims, renders and sends one letter at a time. Only the functions below write the state of a letter.

-- False if a template has a field that is not in the list, or a brace without its partner.
create function private.has_only_fields(template text, fields text[]) returns boolean
  language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(
    regexp_replace(template, '\{[^{}]*\}', '', 'g') !~ '[{}]'
      and array(select m[1] from regexp_matches(template, '\{([^{}]*)\}', 'g') as m) <@ fields,
    true)
$$;

-- The kinds of letters: whether they are sent, and the text of staff. The default text is in content/letters.ts; a test compares kinds and fields.
create table public.letter_kinds (
  id text primary key,
  fields text[] not null,
  sending text not null default 'on' check (sending in ('on', 'off')),
  -- Null for the default.
  subject text check (char_length(btrim(subject)) between 1 and 200),
  body text check (char_length(btrim(body)) between 1 and 8000),
  updated_at timestamptz not null default clock_timestamp(),
  -- No foreign key: the value outlives the account.
  updated_by uuid,
  constraint letter_kinds_known_fields check (private.has_only_fields(subject, fields) and private.has_only_fields(body, fields))
);
with common as (select '{provider,phone,email,opening hours}'::text[] as provider),
  about as (select '{name,course,date,time,venue,places}'::text[] || provider as date, provider from common),
  kinds as (select date || '{price due,bring,prerequisites}'::text[] as booking, date, provider from about)
insert into public.letter_kinds (id, fields)
select k.id, k.fields from kinds, lateral (values
  ('confirmation', booking), ('reminder_week', booking), ('reminder_day', booking), ('moved', booking || '{old date}'::text[]),
  ('cancelled', booking), ('called_off', booking), ('place_free', date), ('acknowledgement', provider || '{course,reference}'::text[])
) as k (id, fields);

alter table public.letter_kinds enable row level security;
alter table public.letter_kinds force row level security;
revoke all on public.letter_kinds from anon, authenticated, service_role;
grant select, update (sending, subject, body) on public.letter_kinds to authenticated;
grant select on public.letter_kinds to service_role;
create policy "staff read letter kinds" on public.letter_kinds for select to authenticated using ((select private.is_staff()));
create policy "staff change letter kinds" on public.letter_kinds for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create trigger stamp_update before update on public.letter_kinds
  for each row execute function private.stamp_update();

-- 'off' for a booking without letters.
alter table public.bookings add column letters text not null default 'on' check (letters in ('on', 'off'));

-- The outbox. A letter is waiting until due, then sending while a process has its lease, then sent or failed; or withdrawn, unsent.
create table public.letters (
  id uuid primary key default gen_random_uuid(),
  kind text not null references public.letter_kinds (id),
  booking_id uuid references public.bookings (id) on delete cascade,
  enquiry_id uuid references public.enquiries (id) on delete cascade,
  waiting_id uuid references public.waiting_list (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'withdrawn')),
  -- The start of the course that a reminder is about, or that a date moved from.
  course_start timestamptz,
  due_at timestamptz not null,
  -- A letter that is not sent by then is withdrawn.
  expires_at timestamptz not null,
  tries smallint not null default 0,
  -- The claim of the process that sends the letter. handed_at is set just before the end of the message is transmitted.
  claim uuid,
  lease_until timestamptz,
  handed_at timestamptz,
  sent_at timestamptz,
  by_hand boolean not null default false,
  -- Why it failed or was withdrawn, and the answer of the mail server.
  problem text check (problem in ('refused', 'unclear', 'gave_up', 'changed', 'expired', 'no_letters', 'switched_off', 'staff')),
  response text check (char_length(response) <= 500),
  -- The letter as it was sent.
  recipient text,
  subject text,
  body text,
  created_at timestamptz not null default private.now(),
  constraint letters_about_one_record check (num_nonnulls(booking_id, enquiry_id, waiting_id) = 1)
);
create unique index letters_one_waiting_idx on public.letters (booking_id, kind) where state = 'waiting';
create index letters_booking_id_idx on public.letters (booking_id) where booking_id is not null;
create index letters_enquiry_id_idx on public.letters (enquiry_id) where enquiry_id is not null;
create index letters_waiting_id_idx on public.letters (waiting_id) where waiting_id is not null;
create index letters_due_at_idx on public.letters (due_at) where state = 'waiting';
create index letters_lease_until_idx on public.letters (lease_until) where state = 'sending';
create index letters_created_at_idx on public.letters (created_at desc);

alter table public.letters enable row level security;
alter table public.letters force row level security;
revoke all on public.letters from anon, authenticated, service_role;
grant select on public.letters to authenticated, service_role;
create policy "staff read letters" on public.letters for select to authenticated using ((select private.is_staff()));

-- Returns why a letter must not be sent any more; null if it may be.
create function private.letter_obstacle(letter public.letters) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  booking public.bookings;
  waiting public.waiting_list;
  date public.course_dates;
begin
  if letter.expires_at <= private.now() then
    return 'expired';
  end if;
  if exists (select from public.letter_kinds k where k.id = letter.kind and k.sending = 'off') then
    return 'switched_off';
  end if;
  if letter.booking_id is not null then
    select b.* into booking from public.bookings b where b.id = letter.booking_id;
    select d.* into date from public.course_dates d where d.id = booking.course_id;
    if booking.email is null or booking.letters = 'off' then
      return 'no_letters';
    end if;
    return case when case letter.kind
      when 'cancelled' then booking.status = 'active' or date.status = 'cancelled'
      when 'called_off' then booking.status <> 'active' or date.status <> 'cancelled'
      else booking.status <> 'active' or date.status = 'cancelled' or date.course_date <= private.now()
        or letter.kind = 'moved' and date.course_date = letter.course_start
        or letter.kind in ('reminder_week', 'reminder_day') and (date.status = 'postponed' or date.course_date <> letter.course_start)
    end then 'changed' end;
  end if;
  if letter.waiting_id is not null then
    select w.* into waiting from public.waiting_list w where w.id = letter.waiting_id;
    select d.* into date from public.course_dates d where d.id = waiting.course_id;
    return case
      when waiting.email is null then 'no_letters'
      when date.status not in ('open', 'confirmed') or date.places_left < waiting.places or date.course_date <= private.now() then 'changed'
    end;
  end if;
  return null;
end
$$;

-- Withdraws the unsent letters of bookings that became obsolete. Letters that a process is rendering are taken back: it may have read old values.
create function private.withdraw_obsolete_letters(bookings uuid[]) returns void
  language sql set search_path = ''
as $$
  update public.letters set state = 'waiting', claim = null, lease_until = null
  where booking_id = any (bookings) and state = 'sending' and handed_at is null;
  update public.letters l set state = 'withdrawn', problem = private.letter_obstacle(l)
  where l.booking_id = any (bookings) and l.state = 'waiting' and private.letter_obstacle(l) is not null;
$$;

-- Queues a letter about each of the bookings that gets letters. Letters that staff cause wait five minutes, in which a mistake can be undone.
create function private.queue_letters(kind text, bookings uuid[], course_start timestamptz default null) returns void
  language sql set search_path = ''
as $$
  insert into public.letters (kind, booking_id, course_start, due_at, expires_at)
  select k.id, b.id, queue_letters.course_start, private.now() + interval '5 minutes',
    case when k.id in ('cancelled', 'called_off') then private.now() + interval '7 days' else d.course_date end
  from public.bookings b
  join public.course_dates d on d.id = b.course_id
  join public.letter_kinds k on k.id = queue_letters.kind and k.sending = 'on'
  where b.id = any (bookings) and b.email is not null and b.letters = 'on'
    and greatest(d.course_date, queue_letters.course_start) > private.now()
  on conflict do nothing
$$;

-- Queues the reminders that are still ahead, for 10:00 in London seven days and one day before the course.
create function private.plan_reminders(bookings uuid[]) returns void
  language sql set search_path = ''
as $$
  insert into public.letters (kind, booking_id, course_start, due_at, expires_at)
  select r.kind, b.id, d.course_date, at.due, d.course_date - r.late
  from public.bookings b
  join public.course_dates d on d.id = b.course_id
  cross join (values ('reminder_week', 7, interval '2 days'), ('reminder_day', 1, interval '0')) as r (kind, days, late)
  cross join lateral (
    select ((d.course_date at time zone 'Europe/London')::date - r.days + time '10:00') at time zone 'Europe/London' as due
  ) as at
  where b.id = any (bookings) and b.status = 'active' and b.email is not null and b.letters = 'on'
    and d.status not in ('cancelled', 'postponed') and at.due > private.now()
    and not exists (
      select from public.letters l
      where l.booking_id = b.id and l.kind = r.kind and l.course_start = d.course_date and l.state in ('sent', 'failed')
    )
  on conflict do nothing
$$;

-- Security definer, as all triggers below: nobody else may write letters.
create function private.write_about_new_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A restored booking was confirmed when it was made.
  if new.status = 'active' and current_setting('changes.restoring', true) is distinct from 'on' then
    perform private.queue_letters('confirmation', array[new.id]);
  end if;
  perform private.plan_reminders(array[new.id]);
  return null;
end
$$;

create function private.write_about_changed_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  own constant uuid[] := array[new.id];
  -- The customer does not know of the booking yet.
  unconfirmed constant boolean := exists (
    select from public.letters l where l.booking_id = new.id and l.kind = 'confirmation' and (l.state = 'waiting' or l.state = 'sending' and l.handed_at is null)
  );
  uncancelled constant boolean := exists (
    select from public.letters l where l.booking_id = new.id and l.kind = 'cancelled' and (l.state = 'waiting' or l.state = 'sending' and l.handed_at is null)
  );
  old_start timestamptz;
begin
  perform private.withdraw_obsolete_letters(own);
  if old.status = 'active' and new.status <> 'active' then
    if not unconfirmed and not exists (select from public.course_dates d where d.id = new.course_id and d.status = 'cancelled') then
      perform private.queue_letters('cancelled', own);
    end if;
    return null;
  end if;
  if new.status <> 'active' then
    return null;
  end if;
  if old.status <> 'active' then
    if not uncancelled then
      perform private.queue_letters('confirmation', own);
    end if;
  elsif lower(new.email) is distinct from lower(old.email) or new.letters <> old.letters then
    if not exists (
      select from public.letters l
      where l.booking_id = new.id and l.kind = 'confirmation' and l.state = 'sent' and lower(l.recipient) = lower(new.email)
    ) then
      perform private.queue_letters('confirmation', own);
    end if;
  end if;
  if new.course_id <> old.course_id and old.status = 'active' then
    select d.course_date into old_start from public.course_dates d where d.id = old.course_id;
    perform private.write_about_move(own, old_start);
  end if;
  perform private.plan_reminders(own);
  return null;
end
$$;

-- Queues letters about a new date. A booking whose confirmation is not sent yet gets only that, with the new date.
create function private.write_about_move(bookings uuid[], old_start timestamptz) returns void
  language sql set search_path = ''
as $$
  select private.queue_letters('moved', array(
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.id = any (bookings) and d.course_date <> old_start and d.course_date > private.now()
      and not exists (select from public.letters l where l.booking_id = b.id and l.kind = 'confirmation' and l.state = 'waiting')
      -- Back on the date that the customer knows.
      and not exists (
        select from public.letters l
        where l.booking_id = b.id and l.kind = 'moved' and l.state = 'withdrawn' and l.problem = 'changed' and l.course_start = d.course_date
          and not exists (
            select from public.letters s where s.booking_id = b.id and s.kind in ('moved', 'confirmation') and s.state = 'sent' and s.sent_at > l.created_at
          )
      )
  ), old_start)
$$;

create function private.write_about_changed_date() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  booked constant uuid[] := array(select b.id from public.bookings b where b.course_id = new.id and b.status = 'active' order by b.id);
begin
  perform private.withdraw_obsolete_letters(booked);
  if new.status = 'cancelled' then
    if old.status <> 'cancelled' then
      perform private.queue_letters('called_off', booked);
    end if;
    return null;
  end if;
  if new.course_date <> old.course_date then
    perform private.write_about_move(booked, old.course_date);
  end if;
  perform private.plan_reminders(booked);
  return null;
end
$$;

-- Queues a letter to the first on the waiting list who fits, if that person has an e-mail address: the office keeps the order.
create function private.write_about_free_place() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.letters l set state = 'withdrawn', problem = private.letter_obstacle(l)
  from public.waiting_list w
  where w.course_id = new.id and l.waiting_id = w.id and (l.state = 'waiting' or l.state = 'sending' and l.handed_at is null)
    and private.letter_obstacle(l) is not null;
  if new.status not in ('open', 'confirmed') or new.course_date <= private.now()
    or (new.places_left <= old.places_left and new.status = old.status) then
    return null;
  end if;
  insert into public.letters (kind, waiting_id, due_at, expires_at)
  select k.id, first.id, private.now() + interval '5 minutes', least(new.course_date, private.now() + interval '3 days')
  from (
    select w.id, w.email from public.waiting_list w
    where w.course_id = new.id and w.called_at is null and w.places <= new.places_left
      and not exists (select from public.letters l where l.waiting_id = w.id and l.state in ('sent', 'failed'))
    order by w.position limit 1
  ) as first
  join public.letter_kinds k on k.id = 'place_free' and k.sending = 'on'
  where first.email is not null
    and not exists (
      select from public.letters l join public.waiting_list w on w.id = l.waiting_id
      where w.course_id = new.id and l.state in ('waiting', 'sending')
    );
  return null;
end
$$;

-- Acknowledges an enquiry of a visitor, at most three a day to one address: anybody can enter the address of somebody else. A request for
-- places has its own confirmation.
create function private.acknowledge_enquiry() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.letter_kinds k where k.id = 'acknowledgement' and k.sending = 'on')
    and private.take_rate_limit('confirmation', lower(btrim(new.reply_to))) then
    insert into public.letters (kind, enquiry_id, due_at, expires_at)
    values ('acknowledgement', new.id, private.now(), private.now() + interval '2 days');
  end if;
  return null;
end
$$;

create trigger write_about_new_booking after insert on public.bookings
  for each row execute function private.write_about_new_booking();
create trigger write_about_changed_booking after update on public.bookings
  for each row when (
    (new.status, new.course_id, new.email, new.letters) is distinct from (old.status, old.course_id, old.email, old.letters)
  ) execute function private.write_about_changed_booking();
-- Other changes appear in the letter: it is rendered when it is sent.
create trigger rewrite_letters after update on public.course_dates
  for each row when ((new.status, new.course_date) is distinct from (old.status, old.course_date))
  execute function private.write_about_changed_date();
create trigger write_about_free_place after update on public.course_dates
  for each row when ((new.status, new.places_left, new.course_date) is distinct from (old.status, old.places_left, old.course_date))
  execute function private.write_about_free_place();
create trigger acknowledge_enquiry after insert on public.enquiries
  for each row when (new.request is null and auth.uid() is null and btrim(new.reply_to) ~ '^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$')
  execute function private.acknowledge_enquiry();

-- Ends leases that expired, and withdraws letters that are due and obsolete. A process that ended after the hand-over may have sent its
-- letter: this letter fails, and staff decide.
create function private.tidy_letters() returns void
  language sql set search_path = ''
as $$
  update public.letters set
    state = case when handed_at is null and tries < 12 then 'waiting' else 'failed' end,
    problem = case when handed_at is not null then 'unclear' when tries >= 12 then 'gave_up' end,
    lease_until = null
  where id in (select l.id from public.letters l where l.state = 'sending' and l.lease_until <= private.now() for update skip locked);
  update public.letters l set state = 'withdrawn', problem = private.letter_obstacle(l)
  where l.id in (
    select w.id from public.letters w where w.state = 'waiting' and w.due_at <= private.now() and private.letter_obstacle(w) is not null
    for update skip locked
  );
$$;

-- Claims the letter that is due longest for two minutes and returns it with what its text needs; null if there is none. No two callers get
-- the same one. Reminders are sent between 08:00 and 18:00 in London.
create function public.claim_letter() returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  office_hours constant boolean := (private.now() at time zone 'Europe/London')::time between '08:00' and '18:00';
  letter public.letters;
begin
  perform private.tidy_letters();
  update public.letters set
    state = 'sending', claim = gen_random_uuid(), lease_until = private.now() + interval '2 minutes', handed_at = null, tries = tries + 1
  where id = (
    select w.id from public.letters w
    where w.state = 'waiting' and w.due_at <= private.now() and (office_hours or w.kind not in ('reminder_week', 'reminder_day'))
    order by w.due_at, w.id limit 1 for update skip locked
  )
  returning * into letter;
  return case when letter.id is not null then private.letter_contents(letter) end;
end
$$;

-- A letter with its kind, booking, waiting-list entry, enquiry and course date.
create function private.letter_contents(letter public.letters) returns json
  language sql stable set search_path = ''
as $$
  select json_build_object('letter', to_json(letter), 'kind', to_json(k), 'booking', to_json(b), 'waiting', to_json(w), 'enquiry', to_json(e),
    'course_date', to_json(d))
  from public.letter_kinds k
  left join public.bookings b on b.id = letter.booking_id
  left join public.waiting_list w on w.id = letter.waiting_id
  left join public.enquiries e on e.id = letter.enquiry_id
  left join public.course_dates d on d.id = coalesce(b.course_id, w.course_id)
  where k.id = letter.kind
$$;

-- True if another letter of the kind waits for the booking.
create function private.has_newer_letter(letter public.letters) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from public.letters l where l.booking_id = letter.booking_id and l.kind = letter.kind and l.state = 'waiting' and l.id <> letter.id)
$$;

-- Notes that the message is complete but for its end, and returns true if it may be completed: the lease is valid and nothing withdrew it.
create function public.hand_over_letter(letter uuid, claim uuid) returns boolean
  language sql security definer set search_path = ''
as $$
  with handed as (
    update public.letters l set handed_at = private.now()
    where l.id = hand_over_letter.letter and l.claim = hand_over_letter.claim and l.state = 'sending' and l.lease_until > private.now()
    returning 1
  )
  select exists (select from handed)
$$;

-- Stores the result of a claim: 'sent'; 'again' for a failure that may pass, tried after 2, 4, 8, … minutes, at most 4 hours, 12 times in
-- all, unless a newer letter of the kind waits; 'refused' or 'unclear' for one that staff must look at. A result after the lease counts,
-- unless another process has the letter.
create function public.note_letter(
  letter uuid, claim uuid, result text, response text default null, recipient text default null, subject text default null, body text default null
) returns void
  language sql security definer set search_path = ''
as $$
  update public.letters l set
    state = case
      when result = 'sent' then 'sent'
      when result <> 'again' or l.tries >= 12 then 'failed'
      when private.has_newer_letter(l) then 'withdrawn'
      else 'waiting'
    end,
    problem = case
      when result in ('refused', 'unclear') then result
      when result = 'again' and l.tries >= 12 then 'gave_up'
      when result = 'again' and private.has_newer_letter(l) then 'changed'
    end,
    response = left(note_letter.response, 500),
    due_at = case when result = 'again' then private.now() + least(interval '2 minutes' * power(2, l.tries - 1), interval '4 hours') else l.due_at end,
    sent_at = case when result = 'sent' then private.now() end,
    handed_at = case when result = 'again' then null else l.handed_at end,
    recipient = note_letter.recipient, subject = note_letter.subject, body = note_letter.body, lease_until = null
  where l.id = note_letter.letter and l.claim = note_letter.claim
    and (l.state = 'sending' or result = 'sent' and l.state = 'failed')
$$;

-- Acts of staff on a letter that is waiting or failed: 'send' it now, 'withdraw' it, or note that it was sent 'by_hand'. Fails with PT404
-- if it does not exist any more, and with PT412 if it is sent, being sent or withdrawn.
create function public.change_letter(letter uuid, act text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  old public.letters;
begin
  perform private.require_staff();
  select l.* into old from public.letters l where l.id = letter for no key update;
  if old.id is null then
    raise sqlstate 'PT404' using message = 'The letter does not exist any more';
  end if;
  if old.state not in ('waiting', 'failed') then
    raise sqlstate 'PT412' using message = 'The letter is already ' || old.state;
  end if;
  if act = 'send' and private.has_newer_letter(old) then
    raise sqlstate 'PT412' using message = 'A newer letter of this kind is waiting';
  end if;
  update public.letters l set
    state = case act when 'send' then 'waiting' when 'by_hand' then 'sent' else 'withdrawn' end,
    problem = case when act = 'withdraw' then 'staff' end,
    response = null, tries = 0, claim = null, handed_at = null,
    due_at = case when act = 'send' then private.now() else l.due_at end,
    sent_at = case when act = 'by_hand' then private.now() end,
    by_hand = act = 'by_hand'
  where l.id = letter and act in ('send', 'by_hand', 'withdraw');
end
$$;

-- Retention: letters go with their booking, enquiry or waiting-list entry, and at the latest after this period.
insert into private.retention_periods (subject, period, counted_from, basis) values
  ('letters', '12 months', 'event', 'Legitimate interest in knowing what customers were told');

alter function public.apply_retention() set schema private;
alter function private.apply_retention() rename to apply_retention_of_records;
create function public.apply_retention() returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  report constant jsonb := private.apply_retention_of_records();
  deleted bigint;
begin
  -- Without a mail server no letter is claimed, so obsolete ones are withdrawn here.
  perform private.tidy_letters();
  delete from public.letters where id in (
    select l.id from public.letters l
    where l.state in ('sent', 'failed', 'withdrawn') and l.created_at <= private.retention_cutoff('letters')
      and coalesce(l.sent_at <= private.retention_cutoff('letters'), true)
    order by l.created_at limit 5000 for update skip locked
  );
  get diagnostics deleted = row_count;
  return report || jsonb_build_object('letters', deleted);
end
$$;

revoke all on all functions in schema private from public;
-- Writers of a template check its fields.
grant execute on function private.has_only_fields(text, text[]) to authenticated;
revoke all on function private.apply_retention_of_records() from service_role;
revoke all on function public.apply_retention() from public, anon, authenticated;
revoke all on function public.claim_letter(), public.hand_over_letter(uuid, uuid),
  public.note_letter(uuid, uuid, text, text, text, text, text) from public, anon, authenticated;
grant execute on function public.apply_retention(), public.claim_letter(), public.hand_over_letter(uuid, uuid),
  public.note_letter(uuid, uuid, text, text, text, text, text) to service_role;
revoke all on function public.change_letter(uuid, text) from public, anon, service_role;
grant execute on function public.change_letter(uuid, text) to authenticated;

-- Reminders for the bookings that exist.
select private.plan_reminders(array(select id from public.bookings));
