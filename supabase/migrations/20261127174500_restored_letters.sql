-- Called by `larkfell restore`: the letters that are due may have been sent after the backup was made, by the server whose backup it is.
-- They fail, and staff decide (decision 039). The others are sent when they are due.
create function private.settle_restored_letters() returns void
  language sql set search_path = ''
as $$
  update public.letters
  set state = 'failed', problem = null, response = 'It may have arrived: the data were restored from an older backup.', lease_until = null
  where expires_at > private.now() and (state = 'sending' or state = 'waiting' and due_at <= private.now())
$$;
revoke all on function private.settle_restored_letters() from public, anon, authenticated;
