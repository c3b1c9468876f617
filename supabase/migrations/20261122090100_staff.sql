-- Staff: decides whether the caller is a member of staff. All policies use this function.

-- True for the owner of a signed-in account that is not anonymous, banned or deleted and whose session still exists.
-- An account with a verified second factor must have used it in this session (aal2).
-- Security definer: callers may not read the auth schema.
create function private.is_staff() returns boolean
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

-- Fails with 42501 unless the caller is staff.
create function private.require_staff() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.is_staff() to authenticated;
