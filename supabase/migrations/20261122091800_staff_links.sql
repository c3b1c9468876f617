-- Adds the age of the unused link of each account to the list of staff.

-- Returns all accounts as an array. The name is the owner's own choice and grants nothing.
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
