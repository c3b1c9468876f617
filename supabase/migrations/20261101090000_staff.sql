-- Who is staff. Policies ask this one function, so that the rule stands in one place.

create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- Any signed-in, non-anonymous account is staff; one with a verified second factor must have used it (aal2).
-- Security definer because callers may not read auth.mfa_factors.
create function private.is_staff() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select auth.uid() is not null
    and coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false) is false
    and exists (
      select from auth.users u
      where u.id = auth.uid() and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
    and (
      auth.jwt() ->> 'aal' = 'aal2'
      or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
    )
$$;
revoke all on function private.is_staff() from public;
grant execute on function private.is_staff() to authenticated;

-- Tells whoever listens which table changed, once a statement; the site drops the cached pages that showed it.
create function private.announce_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('table_changes', tg_table_schema || '.' || tg_table_name);
  return null;
end
$$;
revoke all on function private.announce_change() from public;
