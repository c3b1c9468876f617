/**
 * SQL for a large data set: dates from four years ago to a year ahead, `perDate` bookings and changes for each, at least three, and
 * for 1,000 dates 250 posts and 2,500 enquiries.
 */
export const largeDataset = (dates: number, perDate = 10): string => `
  -- Without triggers, which would count and record each row: their time is not measured here.
  set local session_replication_role = replica;
  insert into public.course_dates (course_name, course_date, capacity, places_taken)
    select (array['Lvl 2 CCTV', 'Lvl 2 Door Supervisor', 'First Aid at Work', 'Manual Handling', 'Emergency First Aid'])[1 + n % 5],
      date_trunc('day', now()) + interval '9 hours' + (n - ${dates * 0.8}) * interval '${44_000 / dates} hours', 12, 9
    from generate_series(1, ${dates}) as n;
  insert into public.bookings (course_id, name, email, phone, company, payment_status, payment_method, note, status, created_at)
    select d.id, 'Person ' || d.n || ' ' || k, 'person' || d.n * 10 + k || '@mail.example', '07700 ' || 900000 + (d.n * 10 + k) % 1000,
      case when k % 3 = 0 then 'Moor & Sons' end, case when k in (1, 3) then 'due' else 'paid' end, case when k not in (1, 3) then 'card' end,
      case when k % 4 = 0 then 'Vegetarian' end, case when k = 3 then 'cancelled' else 'active' end, d.course_date - interval '40 days'
    from (select id, course_date, row_number() over (order by course_date)::integer as n from public.course_dates) as d
    cross join generate_series(1, ${perDate}) as k;
  insert into public.blog_posts (title, content, author, slug, created_at, published_at)
    select 'Post ' || n, repeat('Words about the course. ', 150), 'Jo', 'post-' || n, now() - n * interval '3 days', now() - n * interval '3 days'
    from generate_series(1, ${dates / 4}) as n;
  insert into public.enquiries (name, reply_to, message, status, created_at)
    select 'Caller ' || n, 'caller' || n || '@mail.example', repeat('When does it run? ', 10),
      case when n % 40 = 0 then 'new' else 'closed' end, now() - n * interval '8 hours'
    from generate_series(1, ${dates * 2.5}) as n;
  insert into public.changes (at, kind, record_id, act, actor, actor_email, columns, about, before, after)
    select now() - n * interval '2 minutes', (array['bookings', 'course_dates', 'blog_posts'])[1 + n % 3], gen_random_uuid(), 'update',
      'staff', 'staff' || n % 5 || '@site.example', '{note}', '{"name": "Somebody"}', '{"note": null}', '{"note": "Rang"}'
    from generate_series(1, ${dates * perDate}) as n;
`;

/** SQL that updates the statistics of the query planner. */
export const ANALYZE = "analyze public.course_dates, public.bookings, public.blog_posts, public.enquiries, public.changes";
