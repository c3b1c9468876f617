-- An unknown act on a letter did nothing and reported success.

-- Acts of staff on a letter that is waiting or failed: 'send' it now, 'withdraw' it, or note that it was sent 'by_hand'. Fails with PT404
-- if it does not exist any more, with PT412 if it is sent, being sent or withdrawn, and with 22023 for another act.
create or replace function public.change_letter(letter uuid, act text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  old public.letters;
begin
  perform private.require_staff();
  if act in ('send', 'withdraw', 'by_hand') is not true then
    raise invalid_parameter_value using message = 'There is no such act on a letter';
  end if;
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
  where l.id = letter;
end
$$;
