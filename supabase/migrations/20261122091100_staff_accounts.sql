-- Management of staff accounts: the list, the allowed actions, and the log of them.

-- Returns the accounts that can sign in. An account whose owner has not chosen a password yet is only invited.
-- Security definer: callers may not read the auth schema.
create function private.active_staff() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select u.id from auth.users u
  where u.deleted_at is null and not u.is_anonymous and u.confirmed_at is not null
    and (u.banned_until is null or u.banned_until <= now())
    and (
      coalesce(u.encrypted_password, '') <> ''
      or exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')
    )
$$;

-- Refuses to close the last account that can sign in, and ends the sessions of a disabled account.
-- Security definer: the auth service, which closes accounts, may not run private functions.
create function private.close_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time, so that the last two accounts cannot close each other.
  perform pg_advisory_xact_lock(hashtextextended('private.close_account', 0));
  if old.id in (select private.active_staff()) and not exists (select from private.active_staff() as id where id <> old.id) then
    raise sqlstate 'PT409' using message = 'This is the last account that can sign in';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  delete from auth.sessions where user_id = old.id;
  return new;
end
$$;
revoke all on all functions in schema private from public;

create trigger close_account_before_delete before delete on auth.users
  for each row execute function private.close_account();
create trigger close_account_before_update before update on auth.users
  for each row when (
    (new.banned_until > now() and new.banned_until is distinct from old.banned_until) or (new.deleted_at is not null and old.deleted_at is null)
  )
  execute function private.close_account();

-- Account activity: actions of staff on accounts. No foreign keys: entries outlive the accounts.
create table public.staff_acts (
  id uuid primary key default gen_random_uuid(),
  act text not null check (act in ('invite', 'link', 'disable', 'enable', 'remove_factor', 'remove')),
  actor_id uuid not null,
  actor_email text not null,
  member_id uuid,
  member_email text not null,
  begun_at timestamptz not null default clock_timestamp(),
  -- Null if the auth service refused or failed.
  done_at timestamptz
);
create index staff_acts_begun_at_idx on public.staff_acts (begun_at desc);
create index staff_acts_actor_idx on public.staff_acts (actor_id, begun_at desc);

alter table public.staff_acts enable row level security;
alter table public.staff_acts force row level security;
revoke all on public.staff_acts from anon, authenticated;
grant select on public.staff_acts to authenticated;
grant select, update (done_at) on public.staff_acts to service_role;

create policy "staff read what was done to accounts" on public.staff_acts for select to authenticated using ((select private.is_staff()));

-- Logs that the caller is about to do something to an account and returns the id of the entry. Fails with 42501 if the caller is
-- not staff, PT403 for the caller's own account, PT404 for no account, PT409 for the last that can sign in, PT412 if the account
-- is not in that state, PT422 for a link to an account with single sign-on, PT423 if a second person must do it and PT429 beyond the rate limit.
-- Security definer: clients may not write the log.
create function public.begin_staff_act(act text, member_id uuid default null, member_email text default null) returns uuid
  language plpgsql security definer set search_path = ''
as $$
declare
  target_id uuid;
  target_email text := lower(btrim(member_email));
  disabled boolean;
  has_factor boolean;
  has_single_sign_on boolean;
  act_id uuid;
begin
  perform private.require_staff();
  perform pg_advisory_xact_lock(hashtextextended('public.begin_staff_act', 0));
  if not private.take_rate_limit('staff_act', auth.uid()::text) then
    raise sqlstate 'PT429' using message = 'Too many changes to accounts', hint = 'Wait ten minutes.';
  end if;

  if begin_staff_act.act = 'invite' then
    if exists (select from auth.users u where lower(u.email) = target_email and not u.is_sso_user) then
      raise sqlstate 'PT412' using message = 'This address has an account already';
    end if;
  else
    select u.id, coalesce(u.email, u.phone, ''), coalesce(u.banned_until > now(), false),
        exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'), u.is_sso_user
      into target_id, target_email, disabled, has_factor, has_single_sign_on from auth.users u
      where u.id = begin_staff_act.member_id and u.deleted_at is null and not u.is_anonymous;
    if target_id is null then
      raise sqlstate 'PT404' using message = 'There is no such account';
    end if;
    if target_id = auth.uid() then
      raise sqlstate 'PT403' using message = 'This is your own account';
    end if;
    -- In brackets, without which PL/pgSQL takes the first THEN for its own.
    if (case begin_staff_act.act
      when 'link' then disabled
      when 'disable' then disabled
      when 'enable' then not disabled
      when 'remove_factor' then not has_factor
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
  end if;

  insert into public.staff_acts (act, actor_id, actor_email, member_id, member_email)
  select begin_staff_act.act, u.id, coalesce(u.email, u.phone, ''), target_id, target_email
  from auth.users u where u.id = auth.uid()
  returning id into act_id;
  return act_id;
end
$$;
revoke all on function public.begin_staff_act(text, uuid, text) from public, anon;
grant execute on function public.begin_staff_act(text, uuid, text) to authenticated;

-- Returns all accounts as an array. The name is the owner's own choice and grants nothing.
-- Security definer: callers may not read the auth schema.
create function public.list_staff() returns json
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
      'state', case
        when u.banned_until > now() then 'disabled'
        when u.id in (select private.active_staff()) then 'active'
        else 'invited'
      end,
      'second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
      'last_sign_in_at', u.last_sign_in_at,
      'created_at', u.created_at,
      'own', u.id = auth.uid()
    ) order by lower(coalesce(u.email, u.phone, '')), u.id), '[]')
  into accounts
  from auth.users u where u.deleted_at is null and not u.is_anonymous;
  return accounts;
end
$$;
revoke all on function public.list_staff() from public, anon;
grant execute on function public.list_staff() to authenticated;

-- Returns the caller's sessions as an array, the last used first.
-- Security definer: callers may not read the auth schema.
create function public.own_sessions() returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  sessions json;
begin
  perform private.require_staff();
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
revoke all on function public.own_sessions() from public, anon;
grant execute on function public.own_sessions() to authenticated;
