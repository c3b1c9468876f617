create table public.page_views (
  id bigint generated always as identity primary key,
  page_path text not null check (page_path ~ '^/' and char_length(page_path) <= 512),
  session_id uuid not null,
  viewed_at timestamptz not null default now()
);
create index page_views_viewed_at_idx on public.page_views (viewed_at, page_path, session_id);

alter table public.page_views enable row level security;
alter table public.page_views force row level security;
revoke all on public.page_views from anon, authenticated;
-- Nobody reads single views; staff get sums from website_stats. Only record-page-view, as service_role, writes.
grant select, insert on public.page_views to service_role;

-- Sums for the last `period_days` Europe/London days, today included; staff only.
-- Security definer because staff may see the sums and not the rows.
create function public.website_stats(period_days integer default 30) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  since timestamptz;
  answer json;
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  if period_days is null or period_days not between 1 and 365 then
    raise invalid_parameter_value using message = 'period_days must be between 1 and 365';
  end if;
  since := (date_trunc('day', now() at time zone 'Europe/London') - make_interval(days => period_days - 1)) at time zone 'Europe/London';

  with views as (
    select v.page_path, v.session_id from public.page_views v where v.viewed_at >= since
  ), pages as (
    select page_path, count(*) as views from views group by page_path order by views desc, page_path limit 10
  )
  select json_build_object(
    'periodDays', period_days,
    'uniqueVisitors', (select count(distinct session_id) from views),
    'totalPageViews', (select count(*) from views),
    'mostViewedPages', coalesce((select json_agg(json_build_object('page_path', page_path, 'views', views)) from pages), '[]')
  ) into answer;
  return answer;
end
$$;
revoke all on function public.website_stats(integer) from public, anon;
grant execute on function public.website_stats(integer) to authenticated;
