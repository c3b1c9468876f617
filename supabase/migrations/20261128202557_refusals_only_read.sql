-- A use beyond a limit only reads: a flood of refused requests costs no commits that are synced to the disk. The plan of the function is kept
-- while the table grows, and one that was made for a small table scans it, so scans are off.
create or replace function private.take_rate_limit(name text, key text) returns boolean
  language plpgsql set search_path = '' set enable_seqscan = off
as $$
declare
  rule private.rate_limits;
  window_start timestamptz;
  window_salt bytea;
  digest bytea;
  uses bigint;
begin
  select r.* into strict rule from private.rate_limits r where r.name = take_rate_limit.name;
  window_start := date_bin(rule.period, private.now(), timestamptz 'epoch');
  select w.salt into window_salt from private.rate_limit_windows w where w.name = rule.name and w.started_at = window_start;
  if window_salt is null then
    insert into private.rate_limit_windows (name, started_at) values (rule.name, window_start) on conflict do nothing;
    select w.salt into window_salt from private.rate_limit_windows w where w.name = rule.name and w.started_at = window_start;
  end if;
  digest := sha256(window_salt || convert_to(key, 'UTF8'));
  -- A use beyond the limit only reads.
  select c.used into uses from private.rate_limit_counts c
  where c.name = rule.name and c.started_at = window_start and c.key_hash = digest;
  if uses >= rule.most then
    return false;
  end if;
  insert into private.rate_limit_counts as c (name, started_at, key_hash, used) values (rule.name, window_start, digest, 1)
  on conflict on constraint rate_limit_counts_pkey do update set used = c.used + 1
  returning c.used into uses;
  return uses <= rule.most;
end
$$;
