-- Rate limits: at most so many uses of one name for each key (an account, a client network) in each period.
-- Keys are stored as salted hashes, in unlogged tables, which are in no backup. They are deleted after the period.

create table private.rate_limits (
  name text primary key,
  most integer not null,
  period interval not null
);
insert into private.rate_limits (name, most, period) values
  -- By client network. A visitor who forgot something writes again; six times in ten minutes is a machine.
  ('enquiry', 5, '10 minutes'),
  -- All enquiries together: what the staff can receive from a flood from many networks.
  ('enquiries', 300, '10 minutes'),
  -- By client network.
  ('page_view', 600, '10 minutes'),
  -- By client network.
  ('opt_out', 20, '10 minutes'),
  -- By member of staff.
  ('staff_act', 30, '10 minutes');

create unlogged table private.rate_limit_windows (
  name text,
  started_at timestamptz,
  salt bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  primary key (name, started_at)
);
create unlogged table private.rate_limit_counts (
  name text,
  started_at timestamptz,
  key_hash bytea,
  used bigint not null,
  primary key (name, started_at, key_hash)
) with (fillfactor = 50);

alter table private.rate_limits enable row level security;
alter table private.rate_limit_windows enable row level security;
alter table private.rate_limit_counts enable row level security;
revoke all on private.rate_limits, private.rate_limit_windows, private.rate_limit_counts from public, anon, authenticated, service_role;

-- Counts uses of several different keys and returns, in order, how many uses of each are within the limit. Rows are locked in the
-- order of their hashes, so that two transactions do not deadlock.
create function private.take_rate_limits(name text, keys text[], uses integer[]) returns integer[]
  language plpgsql set search_path = ''
as $$
declare
  rule private.rate_limits;
  window_start timestamptz;
  window_salt bytea;
  allowed integer[];
begin
  select r.* into strict rule from private.rate_limits r where r.name = take_rate_limits.name;
  window_start := date_bin(rule.period, private.now(), timestamptz 'epoch');
  select w.salt into window_salt from private.rate_limit_windows w where w.name = rule.name and w.started_at = window_start;
  if window_salt is null then
    insert into private.rate_limit_windows (name, started_at) values (rule.name, window_start) on conflict do nothing;
    select w.salt into window_salt from private.rate_limit_windows w where w.name = rule.name and w.started_at = window_start;
  end if;
  with wanted as materialized (
    select sha256(window_salt || convert_to(u.key, 'UTF8')) as key_hash, u.uses, u.n
    from unnest(keys, take_rate_limits.uses) with ordinality as u (key, uses, n)
  ), counted as (
    insert into private.rate_limit_counts as c (name, started_at, key_hash, used)
    select rule.name, window_start, w.key_hash, w.uses from wanted w order by w.key_hash
    on conflict on constraint rate_limit_counts_pkey do update set used = c.used + excluded.used
    returning c.key_hash, c.used
  )
  select array_agg(greatest(0, least(w.uses, rule.most - (c.used - w.uses))) order by w.n) into allowed
  from wanted w join counted c using (key_hash);
  return allowed;
end
$$;

-- Counts one use of a key and returns whether it is within the limit.
create function private.take_rate_limit(name text, key text) returns boolean
  language sql set search_path = ''
as $$
  select (private.take_rate_limits(name, array[key], array[1]))[1] = 1
$$;

-- Deletes the hashes and salts of periods that are over.
create function private.delete_past_rate_limits() returns bigint
  language plpgsql set search_path = ''
as $$
declare
  deleted bigint;
begin
  -- Rows in use are left to the next run.
  delete from private.rate_limit_counts where ctid in (
    select c.ctid from private.rate_limit_counts c join private.rate_limits r using (name)
    where c.started_at <= private.now() - r.period for update of c skip locked
  );
  get diagnostics deleted = row_count;
  delete from private.rate_limit_windows w using private.rate_limits r
  where r.name = w.name and w.started_at <= private.now() - r.period;
  return deleted;
end
$$;

revoke all on all functions in schema private from public;
