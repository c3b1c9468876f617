-- Refuses a request whose token names a role that PostgREST's own login, authenticator, could not take: whatever the process is
-- connected as, no token makes a superuser.
create function auth.refuse_role(role_name text) returns text
  language plpgsql set search_path = ''
as $$
begin
  raise insufficient_privilege using message = format('permission denied to set role "%s"', role_name);
end
$$;
revoke all on function auth.refuse_role(text) from public;
