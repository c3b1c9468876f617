-- All statistics are counts per day, kind and name: one table, one statement that writes it and one function that reads it.

-- A count of kind 'visitor' is the number of sessions that came on the day, by the day of their previous visit (YYYY-MM-DD, empty
-- for the first visit). A session is new to a period if it came before on a day before the period: unique visitors of any period
-- are one sum.
alter table private.visit_counts
  drop constraint visit_counts_kind_check,
  add constraint visit_counts_kind_check check (kind in ('page', 'visitor', 'referrer', 'device', 'opt_out'));
insert into private.visit_counts (day, kind, name, count)
select r.day, 'visitor', case when isfinite(r.previous_day) then to_char(r.previous_day, 'YYYY-MM-DD') else '' end, r.sessions
from private.visit_returns r;
drop table private.visit_returns;
alter table private.visit_sessions drop column previous_day;

drop function public.website_stats(integer), public.website_stats_details(integer, json);
drop function private.require_staff_and_period(integer), private.counts_between(text, date, date),
  private.visitors_between(date, date), private.page_views_between(date, date);

-- Counts page views that arrived together and returns the outcome of each, in order: 'recorded', 'unknown_page' (no published
-- post has its post_slug) or 'rate_limited'. `views` is an array of {page_path, session_id, device, referrer?, post_slug?, network?}.
create or replace function public.record_page_views(views json) returns text[]
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Referrers beyond these are counted as 'others', so that nobody can fill the disk with invented ones.
  most_referrers constant integer := 200;
  today constant date := private.today();
  outcomes text[];
begin
  -- All processes count one after the other: they change the same rows, in any order.
  perform pg_advisory_xact_lock(hashtextextended('public.record_page_views', 0));
  with decided as (
    select v.*, case
      when v.network is not null and not private.take_rate_limit('page_view', v.network) then 'rate_limited'
      when v.post_slug is null
        or exists (select from public.blog_posts p where p.slug = v.post_slug and p.published_at <= now()) then 'recorded'
      else 'unknown_page'
    end as outcome
    from json_to_recordset(views) as v (
      page_path text, session_id uuid, device text, referrer text, post_slug text, network text
    )
  ), recorded as (
    select * from decided where outcome = 'recorded'
  ), sessions as (
    -- A subquery with a value: a join could read all sessions.
    select r.session_id, (select s.last_day from private.visit_sessions s where s.session_id = r.session_id) as last_day
    from recorded r group by r.session_id
  ), visitors as (
    select * from sessions where coalesce(last_day, '-infinity') < today
  ), seen as (
    insert into private.visit_sessions (session_id, last_day) select session_id, today from visitors
    on conflict (session_id) do update set last_day = excluded.last_day
  ), counted as (
    insert into private.visit_counts as c (day, kind, name, count)
    select today, t.kind, t.name, count(*) from (
      select 'page' as kind, page_path as name from recorded
      union all
      select 'device', device from recorded
      union all
      select 'visitor', coalesce(to_char(last_day, 'YYYY-MM-DD'), '') from visitors
      union all
      select 'referrer', case
          when exists (select from private.visit_counts k where k.day = today and k.kind = 'referrer' and k.name = referrer)
            or dense_rank() over (order by referrer)
              + (select count(*) from private.visit_counts k where k.day = today and k.kind = 'referrer') <= most_referrers
          then referrer else 'others'
        end
      from recorded where referrer is not null
    ) t group by t.kind, t.name
    on conflict (day, kind, name) do update set count = c.count + excluded.count
  )
  select array_agg(outcome) into outcomes from decided;
  return outcomes;
end
$$;

-- Returns the views of the days from the first to the last, and the sessions that came on any of them, each counted once.
create function private.visit_sums(first_day date, last_day date) returns table (views bigint, visitors bigint)
  language sql stable set search_path = ''
as $$
  select coalesce(sum(c.count) filter (where c.kind = 'page'), 0)::bigint,
    coalesce(sum(c.count) filter (where c.kind = 'visitor' and c.name < to_char(first_day, 'YYYY-MM-DD')), 0)::bigint
  from private.visit_counts c where c.day between first_day and last_day and c.kind in ('page', 'visitor')
$$;

-- Returns the statistics of the last `period_days` days, today included; `details` has each day, the period before, opt-outs,
-- referrers, devices and the enquiries and bookings of each course. `pages` is an array of {page_path, title, course_name?}
-- and `post_prefix` is the start of the path of every post.
-- Security definer: staff may read the sums, not the tables behind them.
create function public.website_stats(period_days integer, pages json default '[]', post_prefix text default null)
  returns table ("periodDays" integer, "uniqueVisitors" bigint, "totalPageViews" bigint, "mostViewedPages" json, details json)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  today constant date := private.today();
  first_day constant date := today - period_days + 1;
  since constant timestamptz := first_day::timestamp at time zone 'Europe/London';
begin
  perform private.require_staff();
  if period_days is null or period_days not between 1 and 365 then
    raise invalid_parameter_value using message = 'period_days must be between 1 and 365';
  end if;
  return query
  with counts as (
    select c.kind, c.name, sum(c.count)::bigint as views,
      row_number() over (partition by c.kind order by sum(c.count) desc, c.name) as rank
    from private.visit_counts c where c.day between first_day and today and c.kind <> 'visitor' group by c.kind, c.name
  ), known as (
    select * from json_to_recordset(pages) as p (page_path text, title text, course_name text)
  ), named as (
    select c.kind, json_agg(json_build_object('name', c.name, 'views', c.views) order by c.rank) as list
    from counts c where c.rank <= 10 group by c.kind
  )
  select period_days, s.visitors, s.views,
    coalesce((
      select json_agg(json_build_object('title', coalesce(k.title, p.title, c.name), 'page_path', c.name, 'views', c.views) order by c.rank)
      from counts c left join known k on k.page_path = c.name left join public.blog_posts p on post_prefix || p.slug = c.name
      where c.kind = 'page' and c.rank <= 10
    ), '[]'),
    json_build_object(
      'days', (
        select json_agg(json_build_object('day', d.day, 'views', coalesce(v.views, 0), 'visitors', coalesce(v.visitors, 0)) order by d.day)
        from (select day::date from generate_series(first_day, today, interval '1 day') as day) d
        left join (
          select c.day, sum(c.count) filter (where c.kind = 'page') as views, sum(c.count) filter (where c.kind = 'visitor') as visitors
          from private.visit_counts c where c.day between first_day and today and c.kind in ('page', 'visitor') group by c.day
        ) v using (day)
      ),
      'before', (
        select json_build_object('uniqueVisitors', b.visitors, 'totalPageViews', b.views)
        from private.visit_sums(first_day - period_days, first_day - 1) b
      ),
      'opt_outs', coalesce((select c.views from counts c where c.kind = 'opt_out'), 0),
      'referrers', coalesce((select n.list from named n where n.kind = 'referrer'), '[]'),
      'devices', coalesce((select n.list from named n where n.kind = 'device'), '[]'),
      'funnel', coalesce((
        select json_agg(json_build_object(
          'title', k.title,
          'page_path', k.page_path,
          'views', coalesce(c.views, 0),
          'enquiries', (select count(*) from public.enquiries e where e.course_name = k.course_name and e.created_at >= since),
          'bookings', (
            select count(*) from public.bookings b join public.course_dates d on d.id = b.course_id
            where d.course_name = k.course_name and b.created_at >= since
          )
        ) order by c.views desc nulls last, k.page_path)
        from known k left join counts c on c.kind = 'page' and c.name = k.page_path where k.course_name is not null
      ), '[]')
    )
  from private.visit_sums(first_day, today) s;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.website_stats(integer, json, text) from public, anon;
grant execute on function public.website_stats(integer, json, text) to authenticated;
