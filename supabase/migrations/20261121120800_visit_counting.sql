-- Counting views in fewer steps: a group of views is read from its JSON once, a session that came today already is left as it
-- stands, and an address is sent only with every tenth of its views, so that most visitors' never come here at all. A post is a page only once it is published.

-- Adds views of one day to the sums: one page, session and device each, a referrer for those that have one. Arrays may be null.
create function private.count_views(pages text[], sessions uuid[], devices text[], referrers text[], objections integer, today date)
  returns void
  language plpgsql set search_path = ''
as $$
begin
  with seen as (
    insert into private.view_sessions as s (session_id, last_day)
    select distinct v.session_id, today from unnest(sessions) as v (session_id)
    -- A value and no EXISTS: that could become a join with every session there is.
    where coalesce((select k.last_day from private.view_sessions k where k.session_id = v.session_id), '-infinity') < today
    order by 1
    on conflict (session_id) do update set previous_day = s.last_day, last_day = excluded.last_day where s.last_day < excluded.last_day
    returning s.previous_day
  )
  insert into private.view_returns as r (day, previous_day, sessions)
  select today, s.previous_day, count(*) from seen s group by 2 order by 2
  on conflict (day, previous_day) do update set sessions = r.sessions + excluded.sessions;

  insert into private.view_counters as c (kind, name, day, total)
  select t.kind, t.name, today, sum(t.count) from (
    select 'all' as kind, '' as name, cardinality(pages) as count where pages is not null
    union all select 'objection', '', objections where objections > 0
    union all select 'page', v.page, count(*) from unnest(pages) as v (page) group by 2
    union all select 'device', v.device, count(*) from unnest(devices) as v (device) group by 2
    union all select 'referrer', private.known_referrer(r.referrer), r.count
      from (select v.referrer, count(*) as count from unnest(referrers) as v (referrer) group by 1) r
  ) t group by 1, 2 order by 1, 2
  on conflict (kind, name) do update set total = c.total + excluded.total, day = greatest(c.day, excluded.day);
end
$$;
revoke all on function private.count_views(text[], uuid[], text[], text[], integer, date) from public;

-- Counts views that came together, and says of each, in order, what became of it: 'recorded', 'unknown_page' (its post_slug
-- is no post's) or 'rate_limited' (over 600 in ten minutes from one address). `views` is an array of {page_path, session_id,
-- device, referrer?, post_slug?, address?, address_views?}: address_views is how many views of the address this one stands for.
-- Everything is locked in one order (addresses, sessions, returns, counters, each sorted), so that processes wait and never block each other.
create or replace function public.record_page_views(views json, objections integer default 0) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (clock_timestamp() at time zone 'Europe/London')::date;
  salt constant bytea := private.view_salt(today);
  outcomes text[];
  pages text[];
  sessions uuid[];
  devices text[];
  referrers text[];
begin
  with asked as materialized (
    select v.*, case when v.address is not null then sha256(salt || convert_to(v.address, 'UTF8')) end as address_hash
    from rows from (json_to_recordset(views) as (
      page_path text, session_id uuid, device text, referrer text, post_slug text, address text, address_views integer
    )) with ordinality as v (page_path, session_id, device, referrer, post_slug, address, address_views, n)
  ), limits as (
    insert into private.view_limits as l (address_hash, views)
    select a.address_hash, sum(coalesce(a.address_views, 1)) from asked a where a.address_hash is not null group by 1 order by 1
    on conflict (address_hash) do update set views = l.views + excluded.views
    returning l.address_hash, l.views
  ), judged as (
    select a.*, case
      when l.views > 600 then 'rate_limited'
      when a.post_slug is null
        or exists (select from public.blog_posts p where p.slug = a.post_slug and p.published_at <= clock_timestamp()) then 'recorded'
      else 'unknown_page'
    end as outcome
    from asked a left join limits l using (address_hash)
  )
  select
    array_agg(j.outcome order by j.n),
    array_agg(j.page_path) filter (where j.outcome = 'recorded'),
    array_agg(j.session_id) filter (where j.outcome = 'recorded'),
    array_agg(j.device) filter (where j.outcome = 'recorded'),
    array_agg(j.referrer) filter (where j.outcome = 'recorded' and j.referrer is not null)
  into outcomes, pages, sessions, devices, referrers
  from judged j;

  perform private.count_views(pages, sessions, devices, referrers, objections, today);
  return to_json(coalesce(outcomes, '{}'));
end
$$;

drop function private.judge_views(json, date);
drop function private.count_views(json, integer, date);
