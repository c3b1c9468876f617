-- The role of an account is chosen when a person is invited: office, trainer or, by an owner, owner.

-- The role that an invited account gets; null for other acts.
alter table public.staff_acts add column member_role text check (member_role in ('owner', 'office', 'trainer'));

-- The first account is the owner. An invited account has its role from the moment it exists. If people invite the same address at the same
-- time with different roles, it has the role office: the link may be in the hands of somebody who may not make owners.
create or replace function private.make_first_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  roles text[];
begin
  -- One at a time with close_account and begin_staff_act, so that there is always one owner.
  perform pg_advisory_xact_lock(hashtextextended('private.close_account', 0));
  if new.is_anonymous then
    return null;
  end if;
  if not exists (select from private.staff_roles r where r.role = 'owner') then
    insert into private.staff_roles (user_id, role) values (new.id, 'owner');
    return null;
  end if;
  -- An act that is not done after a minute has failed.
  select array_agg(distinct a.member_role) into roles from public.staff_acts a
  where a.act = 'invite' and a.member_email = lower(new.email) and a.done_at is null
    and a.begun_at > clock_timestamp() - interval '1 minute';
  if roles in (array['owner'], array['trainer']) then
    insert into private.staff_roles (user_id, role) values (new.id, roles[1]);
  end if;
  return null;
end
$$;

drop function public.begin_staff_act(text, uuid, text);

-- Logs that the caller is about to do something to an account and returns the id of the entry; roles it changes itself, and an account that
-- is invited gets the role member_role. Fails with 42501 if the caller is not signed in, PT403 if the role of the caller does not allow it,
-- PT421 for the caller's own account, PT404 for no account, PT409 for the last that can sign in, PT412 if the account is not in that state,
-- PT422 for a link to an account with single sign-on, PT423 if a second person must do it and PT429 beyond the rate limit.
-- Security definer: clients may not write the log.
create function public.begin_staff_act(
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
  -- Asked again: the caller may have lost the role while waiting.
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
    -- Both together give access to an account that is protected by a second factor.
    if begin_staff_act.act in ('link', 'remove_factor') and exists (
      select from public.staff_acts a
      where a.actor_id = auth.uid() and a.member_id = target_id and a.begun_at > private.now() - interval '24 hours'
        and a.act = case begin_staff_act.act when 'link' then 'remove_factor' else 'link' end
    ) then
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

revoke all on function public.begin_staff_act(text, uuid, text, text) from public, anon, service_role;
grant execute on function public.begin_staff_act(text, uuid, text, text) to authenticated;
