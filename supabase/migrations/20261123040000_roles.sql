-- Roles of staff: an owner decides on roles, the office works with all records, a trainer reads the own registers only.

-- An account without a row has the role office.
create table private.staff_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'trainer'))
);
alter table private.staff_roles enable row level security;
revoke all on private.staff_roles from public, anon, authenticated, service_role;

-- Security definer, as the functions below: callers may not read the table or the auth schema.
create function private.role_of(account uuid) returns text
  language sql stable security definer set search_path = ''
as $$
  select coalesce((select r.role from private.staff_roles r where r.user_id = account), 'office')
$$;

-- True for the holder of a signed-in account that is not anonymous, banned or deleted and whose session still exists.
-- An account with a verified second factor must have used it in this session (aal2).
create function private.is_signed_in() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select auth.uid() is not null
    and coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false) is false
    and exists (
      select from auth.users u
      where u.id = auth.uid() and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
    -- An access token is valid for up to an hour after its session has ended.
    and exists (
      select from auth.sessions s
      where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
    )
    and (
      auth.jwt() ->> 'aal' = 'aal2'
      or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
    )
$$;

-- True for signed-in owners and the office. Policies and functions that do not mention trainers exclude them.
create or replace function private.is_staff() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select private.is_signed_in() and private.role_of(auth.uid()) <> 'trainer'
$$;

create function private.is_trainer() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select private.is_signed_in() and private.role_of(auth.uid()) = 'trainer'
$$;

-- Fails with 42501 unless the caller is signed in.
create function private.require_signed_in() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if not coalesce(private.is_signed_in(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
end
$$;

-- Fails with 42501 unless the caller is signed in, and with PT403 for a trainer.
create or replace function private.require_staff() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if coalesce(private.is_trainer(), false) then
    raise sqlstate 'PT403' using message = 'A trainer may not do this', hint = 'Ask the office.';
  elsif not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
end
$$;

-- Returns the role of the caller; null without a session.
create function public.own_role() returns text
  language sql stable security definer set search_path = ''
as $$
  select private.role_of(auth.uid()) where private.is_signed_in()
$$;

-- True if another owner can sign in.
create function private.has_other_owner(account uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.staff_roles r
    where r.role = 'owner' and r.user_id <> account and r.user_id in (select private.active_staff())
  )
$$;

-- The first account is the owner.
create function private.make_first_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time with close_account and begin_staff_act, so that there is always one owner.
  perform pg_advisory_xact_lock(hashtextextended('private.close_account', 0));
  if not new.is_anonymous and not exists (select from private.staff_roles r where r.role = 'owner') then
    insert into private.staff_roles (user_id, role) values (new.id, 'owner');
  end if;
  return null;
end
$$;
create trigger make_first_owner after insert on auth.users
  for each row execute function private.make_first_owner();

-- Of the existing accounts the oldest active one becomes the owner, or the oldest if none is active.
insert into private.staff_roles (user_id, role)
select u.id, 'owner' from auth.users u
where u.deleted_at is null and not u.is_anonymous
order by u.id in (select private.active_staff()) desc, u.created_at, u.id limit 1;

-- Refuses to close the last account that can sign in and the last owner, and ends the sessions of a disabled account.
-- Security definer: the auth service, which closes accounts, may not run private functions.
create or replace function private.close_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time, so that the last two accounts cannot close each other.
  perform pg_advisory_xact_lock(hashtextextended('private.close_account', 0));
  if old.id in (select private.active_staff()) and not exists (select from private.active_staff() as id where id <> old.id) then
    raise sqlstate 'PT409' using message = 'This is the last account that can sign in';
  end if;
  if private.role_of(old.id) = 'owner' and not private.has_other_owner(old.id) then
    raise sqlstate 'PT409' using message = 'This is the last owner', hint = 'Make another account an owner first.';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  delete from auth.sessions where user_id = old.id;
  return new;
end
$$;

-- Gives an account a role and ends its sessions, so that the person signs in with the new one. Links into the account of a new owner become
-- invalid: the office may have made them before.
create function private.give_role(account uuid, new_role text) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
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

alter table public.staff_acts
  drop constraint staff_acts_act_check,
  add constraint staff_acts_act_check check (act in (
    'invite', 'link', 'disable', 'enable', 'remove_factor', 'remove', 'make_owner', 'make_office', 'make_trainer'
  ));

-- Logs that the caller is about to do something to an account and returns the id of the entry; roles it changes itself. Fails with 42501
-- if the caller is not signed in, PT403 if the role of the caller does not allow it, PT421 for the caller's own account, PT404 for no
-- account, PT409 for the last that can sign in, PT412 if the account is not in that state, PT422 for a link to an account with single
-- sign-on, PT423 if a second person must do it and PT429 beyond the rate limit.
-- Security definer: clients may not write the log.
create or replace function public.begin_staff_act(act text, member_id uuid default null, member_email text default null) returns uuid
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

  insert into public.staff_acts (act, actor_id, actor_email, member_id, member_email)
  select begin_staff_act.act, u.id, coalesce(u.email, u.phone, ''), target_id, target_email
  from auth.users u where u.id = auth.uid()
  returning id into act_id;
  return act_id;
end
$$;

-- Returns all accounts as an array. The name is the own choice of its holder and grants nothing.
-- Security definer: callers may not read the auth schema.
create or replace function public.list_staff() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  accounts json;
begin
  perform private.require_staff();
  select coalesce(json_agg(json_build_object(
      'id', u.id,
      'email', coalesce(u.email, u.phone, ''),
      'name', left(coalesce(u.raw_user_meta_data ->> 'display_name', ''), 120),
      'role', private.role_of(u.id),
      'state', case
        when u.banned_until > now() then 'disabled'
        when u.id in (select private.active_staff()) then 'active'
        else 'invited'
      end,
      'second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
      'last_sign_in_at', u.last_sign_in_at,
      'created_at', u.created_at,
      -- An account has at most one unused link of each kind. The column has UTC without time zone.
      'link_made_at', (
        select max(t.created_at) at time zone 'utc' from auth.one_time_tokens t
        where t.user_id = u.id and t.token_type in ('confirmation_token', 'recovery_token')
      ),
      'own', u.id = auth.uid()
    ) order by lower(coalesce(u.email, u.phone, '')), u.id), '[]')
  into accounts
  from auth.users u where u.deleted_at is null and not u.is_anonymous;
  return accounts;
end
$$;

-- Returns the caller's sessions as an array, the last used first.
-- Security definer: callers may not read the auth schema.
create or replace function public.own_sessions() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  sessions json;
begin
  perform private.require_signed_in();
  select coalesce(json_agg(json_build_object(
      'id', s.id,
      'user_agent', coalesce(s.user_agent, ''),
      'created_at', s.created_at,
      'used_at', coalesce(s.refreshed_at at time zone 'utc', s.created_at),
      'this', s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
    ) order by coalesce(s.refreshed_at at time zone 'utc', s.created_at) desc, s.id), '[]')
  into sessions
  from auth.sessions s where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now());
  return sessions;
end
$$;

revoke all on function private.role_of(uuid), private.is_signed_in(), private.is_trainer(), private.require_signed_in(),
  private.has_other_owner(uuid), private.make_first_owner(), private.give_role(uuid, text) from public;
-- Policies and functions that run as their caller use it.
grant execute on function private.is_trainer() to authenticated;
revoke all on function public.own_role() from public, anon, service_role;
grant execute on function public.own_role() to authenticated;
