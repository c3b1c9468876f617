-- Statistics of public pages, as one row per day and name. No row says who saw which page: a session is stored only with the
-- days it came on. The cost of reading depends on the days and names, not on the number of page views.

create table private.visit_counts (
  -- Day in London.
  day date not null,
  kind text not null check (kind in ('page', 'referrer', 'device', 'opt_out')),
  name text not null check (char_length(name) <= 512),
  count bigint not null,
  primary key (day, kind, name)
) with (fillfactor = 50);

create table private.visit_sessions (
  session_id uuid primary key,
  last_day date not null,
  previous_day date not null default '-infinity'
);
create index visit_sessions_last_day_idx on private.visit_sessions (last_day);

-- Number of sessions of a day, by the day of their previous visit (-infinity for the first visit). A session is new to a period if it
-- came before on a day before the period: unique visitors of any period are one sum.
create table private.visit_returns (
  day date not null,
  previous_day date not null,
  sessions integer not null,
  primary key (day, previous_day)
) with (fillfactor = 50);

alter table private.visit_counts enable row level security;
alter table private.visit_sessions enable row level security;
alter table private.visit_returns enable row level security;
revoke all on private.visit_counts, private.visit_sessions, private.visit_returns from public, anon, authenticated, service_role;

-- Counts page views that arrived together and returns the outcome of each, in order: 'recorded', 'unknown_page' (no published
-- post has its post_slug) or 'rate_limited'. `views` is an array of {page_path, session_id, device, referrer?, post_slug?, network?}.
-- All rows are locked in one order (networks, sessions, returns, counts, each sorted), so that processes do not deadlock.
create function public.record_page_views(views json) returns text[]
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Referrers beyond these are counted as 'others', so that nobody can fill the disk with invented ones.
  most_referrers constant integer := 200;
  today constant date := private.today();
  networks text[];
  uses integer[];
  allowed integer[];
  outcomes text[];
  pages text[];
  session_ids uuid[];
  devices text[];
  referrers text[];
begin
  select array_agg(t.network), array_agg(t.uses) into networks, uses
  from (
    select v.network, count(*)::integer as uses
    from json_to_recordset(views) as v (network text) where v.network is not null group by v.network
  ) t;
  allowed := private.take_rate_limits('page_view', networks, uses);

  with decided as (
    select v.*, case
      when row_number() over (partition by v.network order by v.n) > l.allowed then 'rate_limited'
      when v.post_slug is null
        or exists (select from public.blog_posts p where p.slug = v.post_slug and p.published_at <= now()) then 'recorded'
      else 'unknown_page'
    end as outcome
    from rows from (json_to_recordset(views) as (
      page_path text, session_id uuid, device text, referrer text, post_slug text, network text
    )) with ordinality as v (page_path, session_id, device, referrer, post_slug, network, n)
    left join unnest(networks, allowed) as l (network, allowed) using (network)
  )
  select array_agg(d.outcome order by d.n),
    array_agg(d.page_path) filter (where d.outcome = 'recorded'),
    array_agg(d.session_id) filter (where d.outcome = 'recorded'),
    array_agg(d.device) filter (where d.outcome = 'recorded'),
    array_agg(d.referrer) filter (where d.outcome = 'recorded' and d.referrer is not null)
  into outcomes, pages, session_ids, devices, referrers
  from decided d;

  with seen as (
    insert into private.visit_sessions as s (session_id, last_day)
    select distinct v.session_id, today from unnest(session_ids) as v (session_id)
    -- A subquery with a value: EXISTS could become a join with all sessions.
    where coalesce((select k.last_day from private.visit_sessions k where k.session_id = v.session_id), '-infinity') < today
    order by 1
    on conflict (session_id) do update set previous_day = s.last_day, last_day = excluded.last_day where s.last_day < excluded.last_day
    returning s.previous_day
  )
  insert into private.visit_returns as r (day, previous_day, sessions)
  select today, s.previous_day, count(*) from seen s group by 2 order by 2
  on conflict (day, previous_day) do update set sessions = r.sessions + excluded.sessions;

  insert into private.visit_counts as c (day, kind, name, count)
  select today, t.kind, t.name, sum(t.count) from (
    select 'page' as kind, v.page as name, count(*) as count from unnest(pages) as v (page) group by 2
    union all
    select 'device', v.device, count(*) from unnest(devices) as v (device) group by 2
    union all
    select 'referrer', case
        when exists (select from private.visit_counts k where k.day = today and k.kind = 'referrer' and k.name = r.referrer)
          or r.n + (select count(*) from private.visit_counts k where k.day = today and k.kind = 'referrer') <= most_referrers
        then r.referrer else 'others'
      end, r.count
    from (
      select v.referrer, count(*) as count, row_number() over (order by v.referrer) as n
      from unnest(referrers) as v (referrer) group by v.referrer
    ) r
  ) t group by t.kind, t.name order by t.kind, t.name
  on conflict (day, kind, name) do update set count = c.count + excluded.count;
  return outcomes;
end
$$;
revoke all on function public.record_page_views(json) from public, anon, authenticated;
grant execute on function public.record_page_views(json) to service_role;

-- Counts that a visitor opted out, and nothing about the visitor. Beyond the rate limit of the client network nothing is counted.
create function public.record_opt_out(client_network text default null) returns void
  language sql security definer set search_path = ''
as $$
  insert into private.visit_counts as c (day, kind, name, count)
  select private.today(), 'opt_out', '', 1
  where client_network is null or private.take_rate_limit('opt_out', client_network)
  on conflict (day, kind, name) do update set count = c.count + 1
$$;
revoke all on function public.record_opt_out(text) from public, anon, authenticated;
grant execute on function public.record_opt_out(text) to service_role;

-- Returns the counts of one kind from the first to the last day.
create function private.counts_between(kind text, first_day date, last_day date) returns table (name text, views bigint)
  language sql stable set search_path = ''
as $$
  select c.name, sum(c.count)::bigint
  from private.visit_counts c
  where c.kind = counts_between.kind and c.day between first_day and last_day
  group by c.name
$$;

-- Returns the number of sessions that came on any of the days, each counted once.
create function private.visitors_between(first_day date, last_day date) returns bigint
  language sql stable set search_path = ''
as $$
  select coalesce(sum(r.sessions), 0)::bigint from private.visit_returns r
  where r.day between first_day and last_day and r.previous_day < first_day
$$;

create function private.page_views_between(first_day date, last_day date) returns bigint
  language sql stable set search_path = ''
as $$
  select coalesce(sum(v.views), 0)::bigint from private.counts_between('page', first_day, last_day) v
$$;

create function private.require_staff_and_period(period_days integer) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  perform private.require_staff();
  if period_days is null or period_days not between 1 and 365 then
    raise invalid_parameter_value using message = 'period_days must be between 1 and 365';
  end if;
end
$$;

-- Returns the sums of the last `period_days` days, today included.
-- Security definer: staff may read the sums, not the tables behind them.
create function public.website_stats(period_days integer default 30) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  last_day constant date := private.today();
  first_day constant date := last_day - period_days + 1;
begin
  perform private.require_staff_and_period(period_days);
  return json_build_object(
    'periodDays', period_days,
    'uniqueVisitors', private.visitors_between(first_day, last_day),
    'totalPageViews', private.page_views_between(first_day, last_day),
    'mostViewedPages', coalesce((
      select json_agg(json_build_object('page_path', t.name, 'views', t.views) order by t.views desc, t.name)
      from (select v.* from private.counts_between('page', first_day, last_day) v order by v.views desc, v.name limit 10) t
    ), '[]')
  );
end
$$;

-- Returns the details behind these sums: each day, the period before, referrers, devices, and for each of `courses`, an array of
-- {page_path, course_name}, how many views, enquiries and bookings it had.
create function public.website_stats_details(period_days integer, courses json default '[]') returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  last_day constant date := private.today();
  first_day constant date := last_day - period_days + 1;
  since constant timestamptz := first_day::timestamp at time zone 'Europe/London';
begin
  perform private.require_staff_and_period(period_days);
  return json_build_object(
    'days', (
      select json_agg(json_build_object('day', d.day, 'views', coalesce(v.views, 0), 'visitors', coalesce(r.visitors, 0)) order by d.day)
      from (select day::date from generate_series(first_day, last_day, interval '1 day') as day) d
      left join (
        select c.day, sum(c.count)::bigint as views from private.visit_counts c
        where c.kind = 'page' and c.day between first_day and last_day group by c.day
      ) v using (day)
      left join (
        select t.day, sum(t.sessions)::bigint as visitors from private.visit_returns t
        where t.day between first_day and last_day group by t.day
      ) r using (day)
    ),
    'before', json_build_object(
      'uniqueVisitors', private.visitors_between(first_day - period_days, first_day - 1),
      'totalPageViews', private.page_views_between(first_day - period_days, first_day - 1)
    ),
    'opt_outs', coalesce((select v.views from private.counts_between('opt_out', first_day, last_day) v), 0),
    'referrers', coalesce((
      select json_agg(json_build_object('name', t.name, 'views', t.views) order by t.views desc, t.name)
      from (select v.* from private.counts_between('referrer', first_day, last_day) v order by v.views desc, v.name limit 10) t
    ), '[]'),
    'devices', coalesce((
      select json_agg(json_build_object('name', v.name, 'views', v.views) order by v.views desc, v.name)
      from private.counts_between('device', first_day, last_day) v
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
      left join private.counts_between('page', first_day, last_day) v on v.name = c.page_path
    ), '[]')
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.website_stats(integer), public.website_stats_details(integer, json) from public, anon;
grant execute on function public.website_stats(integer), public.website_stats_details(integer, json) to authenticated;
