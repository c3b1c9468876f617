-- Letters as text messages, and unsent letters of deleted bookings (decision 039). A person without an e-mail address, but with a British
-- mobile number, gets the kinds that staff switched on for text messages.

alter table public.letter_kinds
  add column texts text not null default 'off' check (texts in ('on', 'off')),
  -- The text message of staff; null for the default.
  add column text_message text check (char_length(btrim(text_message)) between 1 and 600),
  add constraint letter_kinds_known_fields_of_text check (private.has_only_fields(text_message, fields)),
  -- Anybody can enter the number of somebody else into an enquiry.
  add constraint letter_kinds_acknowledged_by_mail check (id <> 'acknowledgement' or texts = 'off');
grant update (texts, text_message) on public.letter_kinds to authenticated;

alter table public.letters add column channel text not null default 'mail' check (channel in ('mail', 'text'));

-- Returns how a person gets letters of a kind; null if not at all.
create function private.letter_channel(kind public.letter_kinds, email text, phone text) returns text
  language sql immutable parallel safe set search_path = ''
as $$
  select case when email is not null then 'mail' when kind.texts = 'on' and private.phone_digits(phone) ~ '^07\d{9}$' then 'text' end
$$;

-- The functions below are as before, with the channel.

create or replace function private.letter_obstacle(letter public.letters) returns text
  language plpgsql stable set search_path = ''
as $$
declare
  kind public.letter_kinds;
  channel text;
  booking public.bookings;
  waiting public.waiting_list;
  date public.course_dates;
begin
  if letter.expires_at <= private.now() then
    return 'expired';
  end if;
  select k.* into kind from public.letter_kinds k where k.id = letter.kind;
  if kind.sending = 'off' or letter.channel = 'text' and kind.texts = 'off' then
    return 'switched_off';
  end if;
  if letter.booking_id is not null then
    select b.* into booking from public.bookings b where b.id = letter.booking_id;
    select d.* into date from public.course_dates d where d.id = booking.course_id;
    channel := private.letter_channel(kind, booking.email, booking.phone);
    if channel is null or booking.letters = 'off' then
      return 'no_letters';
    end if;
    if channel <> letter.channel then
      return 'changed';
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
    channel := private.letter_channel(kind, waiting.email, waiting.phone);
    return case
      when channel is null then 'no_letters'
      when channel <> letter.channel then 'changed'
      when date.status not in ('open', 'confirmed') or date.places_left < waiting.places or date.course_date <= private.now() then 'changed'
    end;
  end if;
  return null;
end
$$;

create or replace function private.queue_letters(kind text, bookings uuid[], course_start timestamptz default null) returns void
  language sql set search_path = ''
as $$
  insert into public.letters (kind, booking_id, course_start, channel, due_at, expires_at)
  select k.id, b.id, queue_letters.course_start, private.letter_channel(k, b.email, b.phone), private.now() + interval '5 minutes',
    case when k.id in ('cancelled', 'called_off') then private.now() + interval '7 days' else d.course_date end
  from public.bookings b
  join public.course_dates d on d.id = b.course_id
  join public.letter_kinds k on k.id = queue_letters.kind and k.sending = 'on'
  where b.id = any (bookings) and private.letter_channel(k, b.email, b.phone) is not null and b.letters = 'on'
    and greatest(d.course_date, queue_letters.course_start) > private.now()
  on conflict do nothing
$$;

create or replace function private.plan_reminders(bookings uuid[]) returns void
  language sql set search_path = ''
as $$
  insert into public.letters (kind, booking_id, course_start, channel, due_at, expires_at)
  select r.kind, b.id, d.course_date, private.letter_channel(k, b.email, b.phone), at.due, d.course_date - r.late
  from public.bookings b
  join public.course_dates d on d.id = b.course_id
  cross join (values ('reminder_week', 7, interval '2 days'), ('reminder_day', 1, interval '0')) as r (kind, days, late)
  join public.letter_kinds k on k.id = r.kind
  cross join lateral (
    select ((d.course_date at time zone 'Europe/London')::date - r.days + time '10:00') at time zone 'Europe/London' as due
  ) as at
  where b.id = any (bookings) and b.status = 'active' and private.letter_channel(k, b.email, b.phone) is not null and b.letters = 'on'
    and d.status not in ('cancelled', 'postponed') and at.due > private.now()
    and not exists (
      select from public.letters l
      where l.booking_id = b.id and l.kind = r.kind and l.course_start = d.course_date and l.state in ('sent', 'failed')
    )
  on conflict do nothing
$$;

create or replace function private.write_about_changed_booking() returns trigger
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
  elsif lower(new.email) is distinct from lower(old.email) or new.letters <> old.letters
    or new.email is null and private.phone_digits(new.phone) is distinct from private.phone_digits(old.phone) then
    if not exists (
      select from public.letters l
      where l.booking_id = new.id and l.kind = 'confirmation' and l.state = 'sent' and lower(l.recipient) = coalesce(lower(new.email), private.phone_digits(new.phone))
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
drop trigger write_about_changed_booking on public.bookings;
create trigger write_about_changed_booking after update on public.bookings
  for each row when (
    (new.status, new.course_id, new.email, new.letters) is distinct from (old.status, old.course_id, old.email, old.letters)
    or new.email is null and new.phone is distinct from old.phone
  ) execute function private.write_about_changed_booking();

create or replace function private.write_about_free_place() returns trigger
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
  insert into public.letters (kind, waiting_id, channel, due_at, expires_at)
  select k.id, first.id, private.letter_channel(k, first.email, first.phone), private.now() + interval '5 minutes', least(new.course_date, private.now() + interval '3 days')
  from (
    select w.id, w.email, w.phone from public.waiting_list w
    where w.course_id = new.id and w.called_at is null and w.places <= new.places_left
      and not exists (select from public.letters l where l.waiting_id = w.id and l.state in ('sent', 'failed'))
    order by w.position limit 1
  ) as first
  join public.letter_kinds k on k.id = 'place_free' and k.sending = 'on'
  where private.letter_channel(k, first.email, first.phone) is not null
    and not exists (
      select from public.letters l join public.waiting_list w on w.id = l.waiting_id
      where w.course_id = new.id and l.state in ('waiting', 'sending')
    );
  return null;
end
$$;

-- Claims a letter of the channels that the caller can send on.
drop function public.claim_letter();
create function public.claim_letter(mails boolean default true, texts boolean default false) returns json
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
    where w.state = 'waiting' and w.due_at <= private.now() and case w.channel when 'mail' then mails else texts end
      and (office_hours or w.kind not in ('reminder_week', 'reminder_day'))
    order by w.due_at, w.id limit 1 for update skip locked
  )
  returning * into letter;
  return case when letter.id is not null then private.letter_contents(letter) end;
end
$$;
revoke all on function public.claim_letter(boolean, boolean) from public, anon, authenticated;
grant execute on function public.claim_letter(boolean, boolean) to service_role;

-- Queues the reminders of bookings that get text messages from now on.
create function private.plan_text_reminders() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.plan_reminders(array(
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.status = 'active' and b.email is null and d.course_date > private.now()
  ));
  return null;
end
$$;
create trigger plan_text_reminders after update of texts on public.letter_kinds
  for each row when (new.texts = 'on' and old.texts = 'off' and new.id in ('reminder_week', 'reminder_day'))
  execute function private.plan_text_reminders();

-- These two count mails only.
create or replace function public.late_work() returns json
  language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'mail',
      -- Reminders wait for the morning.
      exists (
        select from public.letters l
        where l.state = 'waiting' and l.channel = 'mail' and l.due_at < private.now() - interval '15 minutes' and l.kind not in ('reminder_week', 'reminder_day')
      )
      or exists (
        select from private.enquiry_mails m join public.enquiries e on e.id = m.enquiry_id
        where m.mailed_at is null
          and e.created_at between private.now() - interval '7 days' and private.now() - interval '15 minutes'
      ),
    'backup', coalesce((
      select c.problem is not null or c.ended_at <= private.now() - interval '26 hours'
      from private.backup_checks c where c.ended_at is not null order by c.night desc limit 1
    ), false)
  )
$$;

create or replace function public.figures() returns json
  language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'mails_waiting',
      (select count(*) from public.letters l where l.state = 'waiting' and l.channel = 'mail' and l.due_at <= private.now())
      + (
        -- Older ones are not tried again.
        select count(*) from private.enquiry_mails m join public.enquiries e on e.id = m.enquiry_id
        where m.mailed_at is null and e.created_at > private.now() - interval '7 days'
      ),
    'bookings', (select count(*) from public.bookings b where b.status = 'active'),
    'backup_age_seconds', (
      select extract(epoch from private.now() - max(c.ended_at)) from private.backup_checks c where c.problem is null
    )
  )
$$;

-- As before; the recipient of a letter may also be a phone number.
create or replace function private.is_contact(contact text, email text, phone text) returns boolean
  language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(
    case when contact like '%@%' then lower(btrim(email)) = lower(btrim(contact))
      else private.phone_digits(contact) in (private.phone_digits(phone), case when email not like '%@%' then private.phone_digits(email) end) end,
    false
  )
$$;

-- The unsent letters of deleted bookings, which return with a restored booking. They contain nothing about the person, and are of no use
-- once they have expired.
create table private.unsent_letters (
  booking_id uuid not null,
  kind text not null,
  course_start timestamptz,
  channel text not null,
  due_at timestamptz not null,
  expires_at timestamptz not null
);
create index unsent_letters_booking_id_idx on private.unsent_letters (booking_id);
create index unsent_letters_expires_at_idx on private.unsent_letters (expires_at);
alter table private.unsent_letters enable row level security;
revoke all on private.unsent_letters from public, anon, authenticated, service_role;

create function private.keep_unsent_letters() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.unsent_letters where expires_at <= private.now();
  -- Reminders are planned again.
  insert into private.unsent_letters (booking_id, kind, course_start, channel, due_at, expires_at)
  select l.booking_id, l.kind, l.course_start, l.channel, l.due_at, l.expires_at from public.letters l
  where l.booking_id = old.id and l.kind not in ('reminder_week', 'reminder_day')
    and (l.state = 'waiting' or l.state = 'sending' and l.handed_at is null);
  return old;
end
$$;
create trigger keep_unsent_letters before delete on public.bookings
  for each row execute function private.keep_unsent_letters();

create or replace function private.write_about_new_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- A restored booking was confirmed when it was made, or its confirmation was not sent yet.
  if current_setting('changes.restoring', true) = 'on' then
    with kept as (delete from private.unsent_letters u where u.booking_id = new.id returning u.*)
    insert into public.letters (kind, booking_id, course_start, channel, due_at, expires_at)
    select k.kind, k.booking_id, k.course_start, k.channel, greatest(k.due_at, private.now() + interval '5 minutes'), k.expires_at
    from kept k where k.expires_at > private.now()
    on conflict do nothing;
  elsif new.status = 'active' then
    perform private.queue_letters('confirmation', array[new.id]);
  end if;
  perform private.plan_reminders(array[new.id]);
  return null;
end
$$;

revoke all on function private.letter_channel(public.letter_kinds, text, text), private.plan_text_reminders(), private.keep_unsent_letters() from public;
