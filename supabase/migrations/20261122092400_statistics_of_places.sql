-- The statistics count places of active bookings: a cancelled booking is no result, and one booking can be for several people.

-- Returns the statistics of the last `period_days` days, today included; `details` has each day, the period before, opt-outs,
-- referrers, devices and the enquiries and booked places of each course. `pages` is an array of {page_path, title, course_name?}
-- and `post_prefix` is the start of the path of every post.
-- Security definer: staff may read the sums, not the tables behind them.
create or replace function public.website_stats(period_days integer, pages json default '[]', post_prefix text default null)
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
          'places', (
            select coalesce(sum(b.places), 0) from public.bookings b join public.course_dates d on d.id = b.course_id
            where d.course_name = k.course_name and b.created_at >= since and b.status = 'active'
          )
        ) order by c.views desc nulls last, k.page_path)
        from known k left join counts c on c.kind = 'page' and c.name = k.page_path where k.course_name is not null
      ), '[]')
    )
  from private.visit_sums(first_day, today) s;
end
$$;
