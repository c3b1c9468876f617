-- While a publication has all tables, as for a move to another server, Postgres refuses deletions from a table without a key, and with
-- them every deletion of a booking. Not from a sequence, whose state is not replicated.
alter table private.unsent_letters add column id uuid primary key default gen_random_uuid();
