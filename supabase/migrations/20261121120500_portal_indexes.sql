-- What the portal's lists are found by, where no index served them yet.

-- Courses of several days that began before the week they still run in.
create index course_dates_end_date_idx on public.course_dates (end_date) where end_date is not null;
-- Who has not paid, date by date.
create index bookings_due_idx on public.bookings (course_id) where status = 'active' and payment_status = 'due';
-- Enquiries by how they stand, whichever is asked for; a partial index serves only what is known when a statement is planned.
create index enquiries_status_idx on public.enquiries (status, created_at desc);
drop index public.enquiries_open_idx;
