-- A new owner's link counts as a link to the account, and an account that the same person may just have made or opened is no second person.

-- True for an account that is older than 24 hours and to which nobody made a link in this time: it is in the hands of its holder.
create function private.is_second_person(account uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (select from auth.users u where u.id = account and u.created_at <= private.now() - interval '24 hours')
    and not exists (
      select from public.staff_acts a
      where a.member_id = account and a.act in ('link', 'make_owner') and a.begun_at > private.now() - interval '24 hours'
    )
$$;

-- True if somebody else must do this to the account. To remove the second factor and to make a link, together, give access to an account
-- that is protected by a second factor: within 24 hours two people must do them.
create function private.needs_second_person(act text, account uuid) returns boolean
  language sql stable set search_path = ''
as $$
  select exists (
    select from public.staff_acts a
    where a.member_id = account and a.begun_at > private.now() - interval '24 hours'
      and case needs_second_person.act
        when 'remove_factor' then a.act in ('link', 'make_owner')
        when 'link' then a.act = 'remove_factor'
        when 'make_owner' then a.act = 'remove_factor'
      end
      and (a.actor_id = auth.uid() or not private.is_second_person(a.actor_id) or not private.is_second_person(auth.uid()))
  )
$$;

-- Logs that the caller is about to do something to an account and returns the id of the entry; roles it changes itself, and an account that
-- is invited gets the role member_role. Fails with 42501 if the caller is not signed in, PT403 if the role of the caller does not allow it,
-- PT421 for the caller's own account, PT404 for no account, PT409 for the last that can sign in, PT412 if the account is not in that state,
-- PT422 for a link to an account with single sign-on, PT423 if a second person must do it and PT429 beyond the rate limit.
-- Security definer: clients may not write the log.
create or replace function public.begin_staff_act(
  act text, member_id uuid default null, member_email text default null, member_role text default 'office'
) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  new_role constant text := substring(act from '^make_(.*)$');
  target_id uuid;
  target_email text := lower(btrim(member_email));
  target_role text;
  disabled boolean;
  has_factor boolean;
  has_single_sign_on boolean;
  act_id uuid;
begin
  perform private.require_staff();
  perform pg_advisory_xact_lock(hashtextextended('public.begin_staff_act', 0));
  -- In the order of close_account: the account, then this lock.
  perform from auth.users u where u.id = begin_staff_act.member_id for key share;
  perform pg_advisory_xact_lock(hashtextextended('private.close_account', 0));
  -- Checked again: the caller may have lost the role while waiting.
  perform private.require_staff();
  if not private.take_rate_limit('staff_act', auth.uid()::text) then
    raise sqlstate 'PT429' using message = 'Too many changes to accounts', hint = 'Wait ten minutes.';
  end if;

  if begin_staff_act.act = 'invite' then
    if begin_staff_act.member_role = 'owner' and private.role_of(auth.uid()) <> 'owner' then
      raise sqlstate 'PT403' using message = 'Only an owner may do this', hint = 'Ask an owner.';
    end if;
    if exists (select from auth.users u where lower(u.email) = target_email and not u.is_sso_user) then
      raise sqlstate 'PT412' using message = 'This address has an account already';
    end if;
  else
    select u.id, coalesce(u.email, u.phone, ''), private.role_of(u.id), coalesce(u.banned_until > now(), false),
        exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'), u.is_sso_user
      into target_id, target_email, target_role, disabled, has_factor, has_single_sign_on from auth.users u
      where u.id = begin_staff_act.member_id and u.deleted_at is null and not u.is_anonymous;
    if target_id is null then
      raise sqlstate 'PT404' using message = 'There is no such account';
    end if;
    if target_id = auth.uid() then
      raise sqlstate 'PT421' using message = 'This is your own account';
    end if;
    if (new_role is not null or target_role = 'owner') and private.role_of(auth.uid()) <> 'owner' then
      raise sqlstate 'PT403' using message = 'Only an owner may do this', hint = 'Ask an owner.';
    end if;
    -- In brackets, without which PL/pgSQL takes the first THEN for its own.
    if (case begin_staff_act.act
      when 'link' then disabled
      when 'disable' then disabled
      when 'enable' then not disabled
      when 'remove_factor' then not has_factor
      -- An owner must be able to sign in.
      when 'make_owner' then target_role = 'owner' or target_id not in (select private.active_staff())
      when 'make_office' then target_role = 'office'
      when 'make_trainer' then target_role = 'trainer'
    end) then
      raise sqlstate 'PT412' using message = 'The account is not in that state';
    end if;
    -- The auth service makes links by e-mail address: this one would lead to another account with the same address.
    if begin_staff_act.act = 'link' and has_single_sign_on then
      raise sqlstate 'PT422' using message = 'This account uses single sign-on';
    end if;
    if private.needs_second_person(begin_staff_act.act, target_id) then
      raise sqlstate 'PT423' using message = 'A second person must do this within 24 hours';
    end if;
    if begin_staff_act.act in ('disable', 'remove') and not exists (
      select from private.active_staff() as id where id <> target_id
    ) then
      raise sqlstate 'PT409' using message = 'This is the last account that can sign in';
    end if;
    -- The caller is another owner, so that one always remains.
    if new_role is not null then
      perform private.give_role(target_id, new_role);
    end if;
  end if;

  insert into public.staff_acts (act, actor_id, actor_email, member_id, member_email, member_role)
  select begin_staff_act.act, u.id, coalesce(u.email, u.phone, ''), target_id, target_email,
    case when begin_staff_act.act = 'invite' then begin_staff_act.member_role end
  from auth.users u where u.id = auth.uid()
  returning id into act_id;
  return act_id;
end
$$;

revoke all on function private.is_second_person(uuid), private.needs_second_person(text, uuid) from public;
