-- An account does not become an owner while the office does something to it: a link that the auth service makes after the change of the
-- role would lead into the account of an owner.

-- Gives an account a role and ends its sessions, so that the person signs in with the new one. Links into the account of a new owner become
-- invalid: the office may have made them before. Fails with PT412 while somebody who is no owner has begun something to a new owner.
create or replace function private.give_role(account uuid, new_role text) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  -- An act that is not done after a minute has failed.
  if new_role = 'owner' and exists (
    select from public.staff_acts a
    where a.member_id = account and a.done_at is null and a.begun_at > clock_timestamp() - interval '1 minute'
      and private.role_of(a.actor_id) <> 'owner'
  ) then
    raise sqlstate 'PT412' using message = 'The account is not in that state', hint = 'Wait a minute.';
  end if;
  delete from private.staff_roles where user_id = account;
  if new_role <> 'office' then
    insert into private.staff_roles (user_id, role) values (account, new_role);
  end if;
  if new_role = 'owner' then
    delete from auth.one_time_tokens where user_id = account;
  end if;
  delete from auth.sessions where user_id = account;
end
$$;
