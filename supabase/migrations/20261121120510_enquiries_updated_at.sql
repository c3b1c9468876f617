-- What every open inbox asks now and then: whether an enquiry came or was changed.
create index enquiries_updated_at_idx on public.enquiries (updated_at desc);
