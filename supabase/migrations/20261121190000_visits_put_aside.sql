-- Views that come together are sent as sums, and where many come they are put aside as sent: adding the sums of thirty groups
-- to the counters takes little longer than adding those of one, and a group that is only put aside waits for no other process.
-- They lie there until all places are taken, a few views come by themselves or the statistics are read (docs/decisions/028).

create domain private.view_kind as text not null check (value in ('all', 'page', 'referrer', 'device', 'objection'));
create domain private.view_name as text not null check (char_length(value) <= 512);
create domain private.view_count as bigint not null check (value > 0);
-- How often something was counted, as in view_counters: what is put aside can be added later, whatever was sent.
create type private.view_sum as (kind private.view_kind, name private.view_name, count private.view_count);

-- Rows are used again and again, with room in their pages for the next version, so that a crowd leaves nothing to be vacuumed.
create table private.views_aside (
  place smallint primary key,
  -- Europe/London day of the views; null where the place is free.
  day date,
  sums private.view_sum[],
  sessions uuid[]
) with (fillfactor = 25, toast_tuple_target = 8000);
insert into private.views_aside (place) select generate_series(1, 32);
alter table private.views_aside enable row level security;
revoke all on private.views_aside from public, anon, authenticated, service_role;

-- Whoever changes sessions, returns or counters, or takes back what was put aside, has this lock, and waits for no row once it
-- has it. So nobody blocks another for good, and who gets it finds all that was acknowledged counted or lying aside.
create function private.lock_view_counters() returns void
  language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('private.view_counters', 0))
$$;

-- Adds to the counters what was put aside, and these views of today, day by day.
create function private.count_views(sums private.view_sum[], sessions uuid[], today date) returns void
  language plpgsql set search_path = ''
as $$
declare
  counted date;
begin
  perform private.lock_view_counters();
  for counted in select v.day from private.views_aside v where v.day is not null union select today order by 1 loop
    with aside as (
      select v.place, v.sums, v.sessions from private.views_aside v where v.day = counted
    ), freed as (
      update private.views_aside v set day = null, sums = null, sessions = null from aside a where v.place = a.place
    ), came as (
      select a.sums, a.sessions from aside a
      union all select count_views.sums, count_views.sessions where counted = today
    ), seen as (
      insert into private.view_sessions as s (session_id, last_day)
      select distinct v.session_id, counted from came c, unnest(c.sessions) as v (session_id)
      -- A value and no EXISTS: that could become a join with every session there is.
      where coalesce((select k.last_day from private.view_sessions k where k.session_id = v.session_id), '-infinity') < counted
      on conflict (session_id) do update set previous_day = s.last_day, last_day = excluded.last_day where s.last_day < excluded.last_day
      returning s.previous_day
    ), returned as (
      insert into private.view_returns as r (day, previous_day, sessions)
      select counted, s.previous_day, count(*) from seen s group by s.previous_day
      on conflict (day, previous_day) do update set sessions = r.sessions + excluded.sessions
    ), summed as (
      -- A thousand different referrers are kept apart; who makes them up cannot fill the disk with them.
      select v.kind, sum(v.count) as count, case
        when v.kind <> 'referrer' or (select count(*) < 1000 from private.view_counters k where k.kind = 'referrer')
          or exists (select from private.view_counters k where k.kind = 'referrer' and k.name = v.name) then v.name
        else 'others'
      end as name
      from came c, unnest(c.sums) as v group by v.kind, v.name
    )
    insert into private.view_counters as c (kind, name, day, total)
    select t.kind, t.name, counted, sum(t.count) from summed t group by t.kind, t.name
    on conflict (kind, name) do update set total = c.total + excluded.total, day = greatest(c.day, excluded.day);
  end loop;
end
$$;

-- Adds to the counters what was put aside, for who is about to read them.
create function private.count_views_aside() returns void
  language plpgsql set search_path = ''
as $$
begin
  if exists (select from private.views_aside v where v.day is not null) then
    perform private.count_views('{}', '{}', (clock_timestamp() at time zone 'Europe/London')::date);
  end if;
end
$$;

-- Records views that came together: `sums` is an array of {kind, name, count}, `sessions` are those they were made in. Views
-- that may be refused are asked about: each of `asked` is {post_slug?, address?, address_views, sums, sessions}, where
-- address_views is how many views to add to the limit of the address. Says what became of each of `asked`, in order:
-- 'recorded', 'unknown_page' (its post_slug is no published post's) or 'rate_limited' (over 600 in ten minutes from one address).
drop function public.record_page_views(json, integer);
create function public.record_page_views(sums json, sessions uuid[], asked json default '[]') returns text[]
  language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (clock_timestamp() at time zone 'Europe/London')::date;
  salt constant bytea := private.view_salt(today);
  all_sums private.view_sum[] := array(select v from json_populate_recordset(null::private.view_sum, sums) v);
  all_sessions uuid[] := sessions;
  outcomes text[] := '{}';
  address_total integer;
  free_place smallint;
  a record;
begin
  if json_array_length(asked) > 0 then
    for a in
      select v.* from rows from (json_to_recordset(asked) as (
        post_slug text, address text, address_views integer, sums private.view_sum[], sessions uuid[]
      )) with ordinality as v (post_slug, address, address_views, sums, sessions, n)
      -- Every process locks addresses in this order, and so they wait and never block each other.
      order by v.address
    loop
      address_total := 0;
      if a.address is not null then
        insert into private.view_limits as l (address_hash, views) values (sha256(salt || convert_to(a.address, 'UTF8')), a.address_views)
        on conflict (address_hash) do update set views = l.views + excluded.views
        returning l.views into address_total;
      end if;
      if address_total > 600 then
        outcomes[a.n] := 'rate_limited';
      elsif a.post_slug is not null
        and not exists (select from public.blog_posts p where p.slug = a.post_slug and p.published_at <= clock_timestamp()) then
        outcomes[a.n] := 'unknown_page';
      else
        outcomes[a.n] := 'recorded';
        all_sums := all_sums || a.sums;
        all_sessions := all_sessions || a.sessions;
      end if;
    end loop;
  end if;

  -- Of few it could be told who saw what; many are quickly counted as they are.
  if cardinality(all_sessions) between 16 and 128 then
    -- Two statements, the second of which sees whether the place is still free, and no row lock: of a place that was taken
    -- meanwhile it would be kept, and whoever adds up the places would wait for it.
    select v.place into free_place from private.views_aside v
    where case when v.day is null then pg_try_advisory_xact_lock(hashtextextended('private.views_aside', v.place)) end limit 1;
    update private.views_aside v set day = today, sums = all_sums, sessions = all_sessions where v.place = free_place and v.day is null;
    if found then
      return outcomes;
    end if;
  end if;
  perform private.count_views(all_sums, all_sessions, today);
  return outcomes;
end
$$;
revoke all on function public.record_page_views(json, uuid[], json) from public, anon, authenticated;
grant execute on function public.record_page_views(json, uuid[], json) to service_role;

-- As before, but sessions under the lock of the counters, and of addresses only what nobody adds to: that goes the next time.
create or replace function private.forget_views(today date) returns void
  language sql set search_path = ''
as $$
  delete from private.view_limits where address_hash in (select l.address_hash from private.view_limits l for update skip locked)
  and not exists (select from private.view_salts where period > clock_timestamp() - interval '10 minutes');
  delete from private.view_salts where period <= clock_timestamp() - interval '10 minutes';
  select private.lock_view_counters();
  -- In pieces, so that nobody waits long.
  delete from private.view_sessions where session_id in (
    select s.session_id from private.view_sessions s where s.last_day < today - 365 order by s.last_day limit 20000
  );
$$;

create or replace function private.view_salt(today date) returns bytea
  language plpgsql set search_path = ''
as $$
declare
  current_period constant timestamptz := date_bin('10 minutes', clock_timestamp(), timestamptz 'epoch');
  found_salt bytea;
begin
  select s.salt into found_salt from private.view_salts s where s.period = current_period;
  if found_salt is null then
    insert into private.view_salts (period) values (current_period) on conflict do nothing;
    if found then
      delete from private.view_limits where address_hash in (select l.address_hash from private.view_limits l for update skip locked);
      perform private.forget_views(today);
    end if;
    select s.salt into found_salt from private.view_salts s where s.period = current_period;
  end if;
  return found_salt;
end
$$;

create or replace function public.forget_page_views() returns void
  language sql security definer set search_path = ''
as $$
  select private.count_views_aside();
  select private.forget_views((clock_timestamp() at time zone 'Europe/London')::date);
$$;

-- What all statistics begin with; they count what was put aside, and so are no longer stable.
create or replace function private.require_staff_and_period(period_days integer) returns void
  language plpgsql volatile set search_path = ''
as $$
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  if period_days is null or period_days not between 1 and 365 then
    raise invalid_parameter_value using message = 'period_days must be between 1 and 365';
  end if;
  perform private.count_views_aside();
end
$$;
alter function public.website_stats(integer) volatile;
alter function public.website_stats_details(integer, json) volatile;

drop function private.count_views(text[], uuid[], text[], text[], integer, date);
drop function private.known_referrer(text);
revoke all on all functions in schema private from public;
