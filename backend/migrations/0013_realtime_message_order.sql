-- Messages have an order: `inserted_at` was equal for all messages of a transaction.

alter table realtime.messages
  alter column inserted_at set default (clock_timestamp() at time zone 'utc'),
  -- Orders the messages of one moment; some clocks count milliseconds.
  add column position bigint generated always as identity;
drop index realtime.messages_of_topic;
create index messages_of_topic on realtime.messages (topic, inserted_at, position);
