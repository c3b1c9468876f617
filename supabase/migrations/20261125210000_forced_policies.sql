-- Row-level security is no longer forced on the owner of these tables. It never had an effect: the owner had to be a superuser or to have
-- BYPASSRLS, and both pass forced policies too. Without it, an owner who has neither, as on a managed server, can run the product (decision 047).

alter table public.course_dates no force row level security;
alter table public.bookings no force row level security;
alter table public.blog_posts no force row level security;
alter table public.enquiries no force row level security;
alter table public.waiting_list no force row level security;
alter table public.changes no force row level security;
alter table public.staff_acts no force row level security;
alter table public.letter_kinds no force row level security;
alter table public.letters no force row level security;
