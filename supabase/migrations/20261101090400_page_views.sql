-- Page views as sums. No row says who saw which page: a session is only known by the days it was here.
-- Reading costs by the pages and days that are asked for, however many views there have been:
--   counters   how often each page, referrer, device was counted since ever, and its last day
--   closings   where a counter stood at the end of a day it counted on; any period is the difference of two
--   returns    how many sessions came on a day, by the day they came before; whoever came before the period's first day
--              is not new to the period, so unique visitors of any period are one exact sum

create table private.view_counters (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('all', 'page', 'referrer', 'device', 'objection')),
  name text not null check (char_length(name) <= 512),
  -- Europe/London day of its last count.
  day date not null,
  total bigint not null,
  unique (kind, name)
) with (fillfactor = 50); -- room for the next version of a row beside it, so that counting touches no index

create table private.view_closings (
  counter_id bigint not null references private.view_counters (id),
  day date not null,
  total bigint not null,
  primary key (counter_id, day)
);

create table private.view_sessions (
  session_id uuid primary key,
  last_day date not null,
  previous_day date not null default '-infinity'
);
create index view_sessions_last_day_idx on private.view_sessions (last_day);

create table private.view_returns (
  day date not null,
  -- -infinity for a session's first day.
  previous_day date not null,
  sessions integer not null,
  primary key (day, previous_day)
) with (fillfactor = 50);

-- What limits a flood: views by salted hash of the client's address, for ten minutes. Unlogged, and so in no backup or replica.
create unlogged table private.view_salts (
  period timestamptz primary key,
  salt bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);
create unlogged table private.view_limits (
  address_hash bytea primary key,
  views integer not null
) with (fillfactor = 50);

alter table private.view_counters enable row level security;
alter table private.view_closings enable row level security;
alter table private.view_sessions enable row level security;
alter table private.view_returns enable row level security;
alter table private.view_salts enable row level security;
alter table private.view_limits enable row level security;
revoke all on private.view_counters, private.view_closings, private.view_sessions, private.view_returns, private.view_salts, private.view_limits
  from public, anon, authenticated, service_role;

-- In a trigger because only there the row is the locked one, whatever other processes counted meanwhile.
create function private.close_view_counter() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  insert into private.view_closings (counter_id, day, total) values (old.id, old.day, old.total);
  return null;
end
$$;
create trigger close_view_counter after update on private.view_counters
  for each row when (old.day < new.day) execute function private.close_view_counter();

-- Forgets what must not be kept: hashes of addresses with their salt after ten minutes, sessions after the longest period.
create function private.forget_views(today date) returns void
  language sql set search_path = ''
as $$
  delete from private.view_limits
  where not exists (select from private.view_salts where period > clock_timestamp() - interval '10 minutes');
  delete from private.view_salts where period <= clock_timestamp() - interval '10 minutes';
  -- Those that another process holds are forgotten the next time; in pieces, so that nobody waits long.
  delete from private.view_sessions where session_id in (
    select s.session_id from private.view_sessions s where s.last_day < today - 365 order by s.last_day limit 20000 for update skip locked
  );
$$;

-- The salt of these ten minutes. Whoever makes a new one also clears away what is too old.
create function private.view_salt(today date) returns bytea
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
      delete from private.view_limits;
      perform private.forget_views(today);
    end if;
    select s.salt into found_salt from private.view_salts s where s.period = current_period;
  end if;
  return found_salt;
end
$$;

-- Decides view by view, in order: 'recorded', 'unknown_page' (its post_slug is no post's) or 'rate_limited' (over 600 in
-- ten minutes from one address).
create function private.judge_views(views json, today date) returns text[]
  language plpgsql set search_path = ''
as $$
declare
  salt constant bytea := private.view_salt(today);
  outcomes text[];
begin
  with asked as (
    select v.post_slug, v.n, case when v.address is not null then sha256(salt || convert_to(v.address, 'UTF8')) end as address_hash
    from rows from (json_to_recordset(views) as (post_slug text, address text)) with ordinality as v (post_slug, address, n)
  ), limits as (
    insert into private.view_limits as l (address_hash, views)
    select a.address_hash, count(*) from asked a where a.address_hash is not null group by 1 order by 1
    on conflict (address_hash) do update set views = l.views + excluded.views
    returning l.address_hash, l.views
  )
  select array_agg(case
    when l.views > 600 then 'rate_limited'
    when a.post_slug is null or exists (select from public.blog_posts p where p.slug = a.post_slug) then 'recorded'
    else 'unknown_page'
  end order by a.n) into outcomes
  from asked a left join limits l using (address_hash);
  return outcomes;
end
$$;

-- Everything is locked in one order (sessions, returns, counters, each sorted), so that processes wait and never block each other.
create function private.count_views(views json, objections integer, today date) returns void
  language plpgsql set search_path = ''
as $$
begin
  with seen as (
    insert into private.view_sessions as s (session_id, last_day)
    select distinct v.session_id, today from json_to_recordset(views) as v (session_id uuid) order by 1
    on conflict (session_id) do update set previous_day = s.last_day, last_day = excluded.last_day where s.last_day < excluded.last_day
    returning s.previous_day
  )
  insert into private.view_returns as r (day, previous_day, sessions)
  select today, s.previous_day, count(*) from seen s group by 2 order by 2
  on conflict (day, previous_day) do update set sessions = r.sessions + excluded.sessions;

  insert into private.view_counters as c (kind, name, day, total)
  select t.kind, t.name, today, sum(t.count) from (
    select 'all' as kind, '' as name, count(*) as count from json_array_elements(views) having count(*) > 0
    union all select 'objection', '', objections where objections > 0
    union all select 'page', v.page_path, count(*) from json_to_recordset(views) as v (page_path text) group by 2
    union all select 'device', v.device, count(*) from json_to_recordset(views) as v (device text) group by 2
    union all select 'referrer', private.known_referrer(r.referrer), r.count
      from (select v.referrer, count(*) as count from json_to_recordset(views) as v (referrer text) where v.referrer is not null group by 1) r
  ) t group by 1, 2 order by 1, 2
  on conflict (kind, name) do update set total = c.total + excluded.total, day = greatest(c.day, excluded.day);
end
$$;

-- A thousand different referrers are kept apart; who makes them up cannot fill the disk with them.
create function private.known_referrer(host text) returns text
  language sql stable set search_path = ''
as $$
  select case
    when exists (select from private.view_counters c where c.kind = 'referrer' and c.name = host)
      or (select count(*) from private.view_counters c where c.kind = 'referrer') < 1000 then host
    else 'others'
  end
$$;

-- Counts views that came together, and says of each, in order, what became of it (see judge_views). `views` is an array of
-- {page_path, session_id, device, referrer?, post_slug?, address?}; `objections` is how many were not sent on because people objected.
create function public.record_page_views(views json, objections integer default 0) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (clock_timestamp() at time zone 'Europe/London')::date;
  outcomes constant text[] := private.judge_views(views, today);
  counted json := views;
begin
  if 'recorded' <> any (outcomes) then
    select coalesce(json_agg(v.view order by v.n), '[]') into counted
    from json_array_elements(views) with ordinality v (view, n) where outcomes[v.n] = 'recorded';
  end if;
  perform private.count_views(counted, objections, today);
  return to_json(coalesce(outcomes, '{}'));
end
$$;

-- What the process calls by itself where no view comes by to do it.
create function public.forget_page_views() returns void
  language sql security definer set search_path = ''
as $$
  select private.forget_views((clock_timestamp() at time zone 'Europe/London')::date)
$$;

-- Counts of one kind from the first to the last day; one look-up in the closings for each name, however many days there are.
create function private.views_between(kind text, first_day date, last_day date) returns table (name text, views bigint)
  language sql stable
as $$
  select c.name,
    case
      when c.day <= views_between.last_day then c.total
      else coalesce((
        select k.total from private.view_closings k where k.counter_id = c.id and k.day <= views_between.last_day order by k.day desc limit 1
      ), 0)
    end - coalesce((
      select k.total from private.view_closings k where k.counter_id = c.id and k.day < views_between.first_day order by k.day desc limit 1
    ), 0)
  from private.view_counters c where c.kind = views_between.kind and c.day >= views_between.first_day
$$;

-- Sessions that came on any of the days, each once.
create function private.visitors_between(first_day date, last_day date) returns bigint
  language sql stable set search_path = ''
as $$
  select coalesce(sum(r.sessions), 0) from private.view_returns r
  where r.day between first_day and last_day and r.previous_day < first_day
$$;

create function private.require_staff_and_period(period_days integer) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  if period_days is null or period_days not between 1 and 365 then
    raise invalid_parameter_value using message = 'period_days must be between 1 and 365';
  end if;
end
$$;

create function private.sum_views(first_day date, today date) returns json
  language sql stable set search_path = ''
as $$
  select json_build_object(
    'periodDays', today - first_day + 1,
    'uniqueVisitors', private.visitors_between(first_day, today),
    'totalPageViews', coalesce((select v.views from private.views_between('all', first_day, today) v), 0),
    'mostViewedPages', coalesce((
      select json_agg(json_build_object('page_path', t.name, 'views', t.views) order by t.views desc, t.name)
      from (
        select v.name, v.views from private.views_between('page', first_day, today) v order by v.views desc, v.name limit 10
      ) t
    ), '[]')
  )
$$;

-- Sums for the last `period_days` Europe/London days, today included; staff only.
-- Security definer because staff may see the sums and not what they are made from.
create function public.website_stats(period_days integer default 30) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'Europe/London')::date;
begin
  perform private.require_staff_and_period(period_days);
  return private.sum_views(today - period_days + 1, today);
end
$$;

-- What lies behind those sums, for staff only: day by day, the period before, where visitors came from and with what, and
-- for each of `courses`, an array of {page_path, course_name}, how views became enquiries and bookings.
create function public.website_stats_details(period_days integer, courses json default '[]') returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'Europe/London')::date;
  first_day constant date := today - period_days + 1;
  since constant timestamptz := first_day::timestamp at time zone 'Europe/London';
begin
  perform private.require_staff_and_period(period_days);
  return json_build_object(
    'days', (
      select json_agg(json_build_object('day', d.day, 'views', d.views, 'visitors', d.visitors) order by d.day)
      from (
        select t.day, t.standing - lag(t.standing) over (order by t.day) as views,
          (select coalesce(sum(r.sessions), 0) from private.view_returns r where r.day = t.day) as visitors
        from (
          select g::date as day, coalesce((
            select case
              when c.day <= g::date then c.total
              else (select k.total from private.view_closings k where k.counter_id = c.id and k.day <= g::date order by k.day desc limit 1)
            end
            from private.view_counters c where c.kind = 'all'
          ), 0) as standing
          from generate_series(first_day - 1, today, interval '1 day') g
        ) t
      ) d
      where d.day >= first_day
    ),
    'before', json_build_object(
      'uniqueVisitors', private.visitors_between(first_day - period_days, first_day - 1),
      'totalPageViews', coalesce((select v.views from private.views_between('all', first_day - period_days, first_day - 1) v), 0)
    ),
    'objections', coalesce((select v.views from private.views_between('objection', first_day, today) v), 0),
    'referrers', coalesce((
      select json_agg(json_build_object('name', t.name, 'views', t.views) order by t.views desc, t.name)
      from (select v.* from private.views_between('referrer', first_day, today) v order by v.views desc, v.name limit 10) t
    ), '[]'),
    'devices', coalesce((
      select json_agg(json_build_object('name', v.name, 'views', v.views) order by v.views desc, v.name)
      from private.views_between('device', first_day, today) v
    ), '[]'),
    'funnel', coalesce((
      select json_agg(json_build_object(
        'page_path', c.page_path,
        'views', coalesce(v.views, 0),
        'enquiries', (select count(*) from public.enquiries e where e.course_name = c.course_name and e.created_at >= since),
        'bookings', (
          select count(*) from public.bookings b join public.course_dates d on d.id = b.course_id
          where d.course_name = c.course_name and b.created_at >= since
        )
      ) order by v.views desc nulls last, c.page_path)
      from json_to_recordset(courses) as c (page_path text, course_name text)
      left join private.views_between('page', first_day, today) v on v.name = c.page_path
    ), '[]')
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.record_page_views(json, integer), public.forget_page_views() from public, anon, authenticated;
grant execute on function public.record_page_views(json, integer), public.forget_page_views() to service_role;
revoke all on function public.website_stats(integer), public.website_stats_details(integer, json) from public, anon;
grant execute on function public.website_stats(integer), public.website_stats_details(integer, json) to authenticated;
