import type { Session } from './direct-connection.ts'

// Positions of a part are taken under its row's lock and kept until the commit. So they commit in order, and reading
// `position > mine` misses nothing. Rows are locked in one order, so that two publishers do not wait for each other in a ring.
const definition = `
select pg_advisory_xact_lock(hashtextextended('marketplace.bus', 0));

create table if not exists bus.parts (
  topic text not null,
  part int not null,
  position bigint not null default 0,
  primary key (topic, part)
) with (fillfactor = 50);

create table if not exists bus.events (
  topic text not null,
  part int not null,
  position bigint not null,
  id uuid not null,
  key text not null,
  type text not null,
  occurred_at timestamptz not null,
  version bigint not null,
  traceparent text,
  payload json not null,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (topic, part, position)
);

create index if not exists events_stored on bus.events (topic, part, stored_at);

create table if not exists bus.positions (
  reader_group text not null,
  topic text not null,
  part int not null,
  position bigint not null,
  primary key (reader_group, topic, part)
);

create or replace function bus.append(incoming json) returns void language plpgsql as $$
begin
  insert into bus.parts (topic, part)
  select distinct e.topic, e.part from json_to_recordset(incoming) as e (topic text, part int) order by 1, 2
  on conflict do nothing;

  perform from bus.parts p
  where (p.topic, p.part) in (select e.topic, e.part from json_to_recordset(incoming) as e (topic text, part int))
  order by p.topic, p.part
  for update;

  insert into bus.events (topic, part, position, id, key, type, occurred_at, version, traceparent, payload)
  select e.topic, e.part, p.position + row_number() over (partition by e.topic, e.part order by e.place),
    e.id, e.key, e.type, e.occurred_at, e.version, e.traceparent, e.payload
  from rows from (json_to_recordset(incoming) as (topic text, part int, id uuid, key text, type text,
    "occurredAt" timestamptz, version bigint, traceparent text, payload json)
  ) with ordinality as e (topic, part, id, key, type, occurred_at, version, traceparent, payload, place)
  join bus.parts p on p.topic = e.topic and p.part = e.part;

  update bus.parts p set position = p.position + n.added
  from (select e.topic, e.part, count(*) as added from json_to_recordset(incoming) as e (topic text, part int) group by 1, 2) n
  where p.topic = n.topic and p.part = n.part;
end $$;
`

/** Makes the bus's tables, once; the schema too where this role may create it. */
export async function prepareBusSchema(session: Session): Promise<void> {
  const [found] = await session.query<{ schema: string | null; append: string | null }>(
    `select to_regnamespace('bus') as schema, to_regproc('bus.append') as append`,
  )
  if (!found?.append) {
    // `if not exists` asks for the right to create schemas even where it exists.
    if (!found?.schema) await session.query('create schema if not exists bus')
    await session.query(definition)
  }
  await session.query('listen bus')
}
