-- Sample data for a fresh database. Applied once.

-- Days from today and an hour in London, so that there are always upcoming dates. Dates around Christmas move by two weeks, weekends to
-- Monday, and bank holidays in May, in August and at Easter (until 2032) to the next working day.
-- The first three are before the cutoff of five working days, except around these days, and show on course pages only.
insert into public.course_dates (course_name, course_date, capacity, description)
select course_name, (weekday + case
    when weekday + 2 = any (easter_sundays) then 4
    when weekday - 1 = any (easter_sundays) then 1
    when extract(isodow from weekday) = 1 and to_char(weekday, 'MMDD') ~ '^(050[1-7]|052[5-9]|053|082[5-9]|083)' then 1
    else 0
  end + make_time(hour, 0, 0)) at time zone 'Europe/London', capacity, description
from (values
  ('Emergency First Aid', 2, 9, 12, null),
  ('Manual Handling', 3, 9, 12, 'Morning session'),
  ('Annual First Aid Refresher Course', 4, 13, 16, null),
  ('Lvl 2 Door Supervisor', 10, 9, 12, 'Runs on weekdays; candidates bring a valid first-aid certificate'),
  ('Emergency First Aid', 12, 9, 12, null),
  ('Lvl 2 CCTV', 15, 9, 12, null),
  ('First Aid at Work', 17, 9, 12, null),
  ('Door Supervisor Refresher Course', 20, 9, 12, null),
  ('Health & Safety in Workplace Level 1', 22, 9, 12, null),
  ('Safeguarding Awareness Training Level 1', 24, 13, 16, null),
  ('Lvl 2 Security Officer', 28, 9, 12, null),
  ('First Aid at Work Level 3', 31, 9, 12, null),
  ('Emergency First Aid Work Level 3', 36, 9, 12, null),
  ('Security Officer Refresher Course', 40, 9, 12, null),
  ('Lvl 3 Close Protection', 45, 9, 10, 'Mondays to Fridays over five weeks'),
  ('Safeguarding Lead Training Level 3', 50, 9, 12, null),
  ('Lvl 2 Door Supervisor', 60, 9, 12, null),
  ('Annual First Aid Refresher Course', 65, 13, 16, null)
) as sample (course_name, days, hour, capacity, description)
cross join (select '{2027-03-28,2028-04-16,2029-04-01,2030-04-21,2031-04-13,2032-03-28}'::date[]) as easter (easter_sundays)
cross join lateral (select (now() at time zone 'Europe/London')::date + days) as planned (day)
cross join lateral (select day + case when to_char(day, 'MMDD') between '0104' and '1218' then 0 else 17 end) as open (open_day)
cross join lateral (select open_day + case extract(isodow from open_day) when 6 then 2 when 7 then 1 else 0 end) as working (weekday);

insert into public.blog_posts (title, slug, author, image_url, published_at, content) values
(
  'What to pack for your first day of door supervisor training', 'what-to-pack-for-your-first-day-of-door-supervisor-training',
  'The training office', '/images/blog/kit-bag.svg', now() - interval '4 days',
$md$The first morning goes better with the right things in your bag.

## Papers first

Bring **photo identification and proof of address** from the list in your joining letter, your first-aid certificate and a passport-style photograph. We check them before the first session, because without them nobody may start.

## Then the rest

- Flat shoes and clothes you can move in: several days are spent on physical intervention.
- A pen and something to write on.
- Lunch, or money for the bakery across the road.

## If something is missing

Call the office before you set out. We can usually sort it out by phone.$md$
),
(
  'Why a first-aid certificate runs out after three years', 'why-a-first-aid-certificate-runs-out-after-three-years',
  'The training office', '/images/blog/practice-room.svg', now() - interval '16 days',
$md$Skills fade faster than certificates do. Studies of resuscitation training find people slower and less sure within months.

## What the three years mean

A workplace first-aid certificate is valid for **three years**. The Health and Safety Executive strongly recommends a short refresher in each year between, and that is what our annual refresher is for: three hours, mostly on your knees beside a manikin.

## When to book

Book your requalification *before* the certificate ends. Once it has lapsed you are no longer counted as a first aider at work, and your employer may be one short.$md$
),
(
  'Refreshers have replaced top-ups: what changed for licence holders', 'refreshers-have-replaced-top-ups-what-changed-for-licence-holders',
  'The training office', '/images/blog/winter-fells.svg', now() - interval '33 days',
$md$If you hold a door supervisor or security officer licence, renewal now asks for a refresher qualification.

## Who needs one

Since April 2025 licence holders in both roles take a refresher before they renew; since April 2026 the same holds for close protection. The old top-up awards are no longer offered.

## What it covers

Searching, vulnerable people, terrorism threats and, for door supervisors, physical intervention again. You also need a current first-aid certificate at the level your role asks for.

> Check the date on your licence now. Courses fill in the weeks before everybody's renewal.$md$
);
