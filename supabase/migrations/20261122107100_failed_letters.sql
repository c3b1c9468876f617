-- Today lists the letters that failed.

create index letters_failed_idx on public.letters (due_at desc, id) where state = 'failed';
