-- Retention of rotated refresh tokens, which say when a browser was used (docs/decisions/042-rotated-tokens.md).

insert into private.retention_periods (subject, period, counted_from, basis) values
  ('auth_tokens', '12 months', 'event', 'Legitimate interest in the security of staff accounts');

-- The part of apply_retention for the auth service. A hosted project may have another log or other tokens, or not let us
-- change them.
create or replace function private.apply_auth_retention(batch integer) returns jsonb
  language plpgsql set search_path = ''
as $$
declare
  report jsonb := '{"auth_log": null, "auth_tokens": null}';
  deleted bigint;
  anonymised bigint;
begin
  begin
    delete from auth.audit_log_entries where id in (
      select l.id from auth.audit_log_entries l where l.created_at <= private.retention_cutoff('auth_log') limit batch for update skip locked
    );
    get diagnostics deleted = row_count;
    update auth.audit_log_entries set ip_address = '' where id in (
      select l.id from auth.audit_log_entries l
      where l.ip_address <> '' and l.created_at <= private.retention_cutoff('auth_log_addresses') limit batch for update skip locked
    );
    get diagnostics anonymised = row_count;
    report := report || jsonb_build_object('auth_log', deleted, 'auth_log_addresses', anonymised);
  exception
    when undefined_table or undefined_column or insufficient_privilege then null;
  end;
  begin
    delete from auth.refresh_tokens where id in (
      select t.id from auth.refresh_tokens t
      where t.revoked and t.updated_at <= private.retention_cutoff('auth_tokens') order by t.updated_at limit batch for update skip locked
    );
    get diagnostics deleted = row_count;
    report := report || jsonb_build_object('auth_tokens', deleted);
  exception
    when undefined_table or undefined_column or insufficient_privilege then null;
  end;
  return report;
end
$$;
