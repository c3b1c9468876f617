-- The office may have opened the invitation or another link of an account and chosen the password. A new owner therefore chooses a new one,
-- with a link that the owner who gives the role has mailed or hands over.

-- Gives an account a role and ends its sessions, so that the person signs in with the new one. A new owner loses every way to sign in that
-- somebody else may have set up: password, phone number, accounts elsewhere and links. Single sign-on, which the organisation controls, and the
-- second factor, which alone opens nothing, stay. Fails with PT412 for an owner without an e-mail address, and while somebody who is no owner
-- has begun something to a new owner.
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
  if new_role = 'owner' then
    -- First, because a sign-in with the old password locks this row.
    update auth.users u
    set encrypted_password = null, phone = null, phone_confirmed_at = null, phone_change = '', email_change = ''
    where u.id = account and u.email is not null;
    if not found then
      raise sqlstate 'PT412' using message = 'The account has no e-mail address';
    end if;
    delete from auth.identities i where i.user_id = account and i.provider <> 'email' and i.provider not like 'sso:%';
    delete from auth.one_time_tokens where user_id = account;
  end if;
  delete from private.staff_roles where user_id = account;
  if new_role <> 'office' then
    insert into private.staff_roles (user_id, role) values (account, new_role);
  end if;
  delete from auth.sessions where user_id = account;
end
$$;
