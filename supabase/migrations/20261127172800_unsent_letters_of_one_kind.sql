-- Only one letter of a kind waits for a booking. One that was being sent went back to the queue although another of its kind waited
-- meanwhile: the unique index refused that, and with it every claim of a letter and every retention. It is withdrawn instead.

-- True if a newer letter of the kind is unsent. Also true for any that waits: two cannot wait.
create or replace function private.has_newer_letter(letter public.letters) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.letters l
    where l.booking_id = letter.booking_id and l.kind = letter.kind and l.id <> letter.id
      and (l.state = 'waiting' or l.state = 'sending' and (l.created_at, l.id) > (letter.created_at, letter.id))
  )
$$;

create or replace function private.withdraw_obsolete_letters(bookings uuid[]) returns void
  language sql set search_path = ''
as $$
  update public.letters l set
    state = case when private.has_newer_letter(l) then 'withdrawn' else 'waiting' end,
    problem = case when private.has_newer_letter(l) then 'changed' end,
    claim = null, lease_until = null
  where l.booking_id = any (bookings) and l.state = 'sending' and l.handed_at is null;
  update public.letters l set state = 'withdrawn', problem = private.letter_obstacle(l)
  where l.booking_id = any (bookings) and l.state = 'waiting' and private.letter_obstacle(l) is not null;
$$;

create or replace function private.tidy_letters() returns void
  language sql set search_path = ''
as $$
  update public.letters l set
    state = case when l.handed_at is not null or l.tries >= 12 then 'failed' when private.has_newer_letter(l) then 'withdrawn' else 'waiting' end,
    problem = case when l.handed_at is not null then 'unclear' when l.tries >= 12 then 'gave_up' when private.has_newer_letter(l) then 'changed' end,
    lease_until = null
  where l.id in (select s.id from public.letters s where s.state = 'sending' and s.lease_until <= private.now() for update skip locked);
  update public.letters l set state = 'withdrawn', problem = private.letter_obstacle(l)
  where l.id in (
    select w.id from public.letters w where w.state = 'waiting' and w.due_at <= private.now() and private.letter_obstacle(w) is not null
    for update skip locked
  );
$$;
