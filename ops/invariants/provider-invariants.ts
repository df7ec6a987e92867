import type { Invariant } from './invariant.ts'

// $1 is the card provider's data as JSON: one object per payment intent.
const record = `json_to_recordset($1::json) as p (id text, "saleId" text, status text, received int, refunded int, withdrawn int, fees int)`

/** Invariants that compare sales and the ledger with the card provider's data. */
export const providerInvariants: readonly Invariant[] = [
  {
    name: 'the ledger equals the provider’s record',
    sql: `
      select format('sale %s: the ledger has %s, the provider %s', sale_id, coalesce(booked, 0), coalesce(had, 0)) as message
      from (select "saleId" as sale_id, sum(received - refunded - withdrawn - fees) as had from ${record} group by 1) provider
      full join (
        select j.sale_id::text, sum(e.amount) as booked from payments.journals j join payments.entries e on e.journal_id = j.id
        where {{read-sale:j.sale_id}} and e.account = 'provider' group by 1
      ) ledger using (sale_id)
      where coalesce(booked, 0) <> coalesce(had, 0)`,
    isBounded: true,
  },
  {
    name: 'at most one charge per listing that is not refunded',
    sql: `
      select format('listing %s was charged by %s', t.listing_id, array_agg(p.id)) as message
      from ${record} join payments.transactions t on t.id::text = p."saleId"
      where {{read-sale:t.id}} and p.received > p.refunded + p.withdrawn group by t.listing_id having count(*) > 1`,
    isBounded: true,
  },
  {
    name: 'a charge has its sale, paid or to be given back',
    sql: `
      select format('intent %s received %s for sale %s, which is %s', p.id, p.received, p."saleId", coalesce(t.state, 'not there')) as message
      from ${record} left join payments.transactions t on t.id::text = p."saleId" and t.intent_id = p.id
      where p.received > 0 and (t.id is null or t.state not in ('paid', 'refunding', 'refunded'))`,
    isBounded: true,
  },
  {
    name: 'what was released cannot be paid any more',
    sql: `
      select format('sale %s is released, its intent %s is %s', t.id, p.id, p.status) as message
      from ${record} join payments.transactions t on t.intent_id = p.id
      where t.state = 'released' and p.status not in ('canceled', 'succeeded')`,
    isBounded: true,
  },
]
