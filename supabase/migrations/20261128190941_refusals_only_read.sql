-- A use beyond a limit only reads: a flood of refused requests costs no commits that are synced to the disk.
create or replace function private.take_rate_limit(name text, key text) returns boolean
  language plpgsql set search_path = ''
as $$
declare
  rule private.rate_limits;
  window_start timestamptz;
  uses bigint;
begin
  select r.* into strict rule from private.rate_limits r where r.name = take_rate_limit.name;
  window_start := date_bin(rule.period, private.now(), timestamptz 'epoch');
  select c.used into uses
  from private.rate_limit_windows w
  join private.rate_limit_counts c on c.name = w.name and c.started_at = w.started_at and c.key_hash = sha256(w.salt || convert_to(key, 'UTF8'))
  where w.name = rule.name and w.started_at = window_start;
  if uses >= rule.most then
    return false;
  end if;
  insert into private.rate_limit_windows (name, started_at) values (rule.name, window_start) on conflict do nothing;
  insert into private.rate_limit_counts as c (name, started_at, key_hash, used)
  select w.name, w.started_at, sha256(w.salt || convert_to(key, 'UTF8')), 1
  from private.rate_limit_windows w where w.name = rule.name and w.started_at = window_start
  on conflict on constraint rate_limit_counts_pkey do update set used = c.used + 1
  returning c.used into uses;
  return uses <= rule.most;
end
$$;
