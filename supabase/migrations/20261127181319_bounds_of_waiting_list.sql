-- The time at which somebody joined a waiting list has the bounds of other times: the portal cannot show infinity.
alter table public.waiting_list disable trigger protect_columns;
update public.waiting_list set created_at = now() where created_at not between '2000-01-01T00:00Z' and '9999-12-30T23:59Z';
alter table public.waiting_list enable trigger protect_columns;
alter table public.waiting_list add check (created_at between '2000-01-01T00:00Z' and '9999-12-30T23:59Z');
