import type { Invariant } from './invariant.ts'

// The ledger entries expected for each kind of payment. Must match the ledger table in docs/architecture/sales.md.
const postings = `
  select j.sale_id, j.kind, p.account, p.amount
  from payments.journals j join payments.transactions t on t.id = j.sale_id
  cross join lateral (values
    ('capture', 'provider', t.amount), ('capture', 'seller', t.transaction_fee - t.sale_price - t.shipping_cost),
    ('capture', 'fee:buyer', 0 - t.transaction_fee), ('capture', 'fee:seller', 0 - t.transaction_fee),
    ('late_capture', 'provider', t.amount), ('late_capture', 'refund:due', 0 - t.amount)
  ) as p (kind, account, amount)
  where {{sale:j.sale_id}} and p.kind = j.kind and p.amount <> 0`

const posted = `
  select j.sale_id, j.kind, e.account, sum(e.amount) as amount
  from payments.journals j join payments.entries e on e.journal_id = j.id
  where {{sale:j.sale_id}} and j.kind in ('capture', 'late_capture')
  group by j.sale_id, j.kind, e.account`

export const ledgerInvariants: readonly Invariant[] = [
  {
    name: 'each journal of the ledger sums to zero',
    sql: `
      select format('journal %s (%s of sale %s) sums to %s', j.id, j.kind, j.sale_id, sum(e.amount)) as message
      from payments.journals j left join payments.entries e on e.journal_id = j.id
      where {{sale:j.sale_id}}
      group by j.id having sum(e.amount) is distinct from 0`,
  },
  {
    name: 'a sale’s journals are those of its state',
    sql: `
      select format('sale %s is %s and has the journals %s', t.id, t.state, kinds) as message
      from payments.transactions t
      cross join lateral (
        select coalesce(string_agg(distinct kind, ', ' order by kind) filter (where kind in ('capture', 'late_capture')), '') as kinds,
          bool_or(kind not in ('capture', 'late_capture')) as has_refunds
        from payments.journals where sale_id = t.id
      ) j
      where {{listing:t.listing_id}} and case t.state when 'paid' then kinds <> 'capture'
        when 'refunding' then kinds not in ('capture', 'late_capture') or (kinds = 'capture' and has_refunds is distinct from true)
        when 'refunded' then kinds not in ('capture', 'late_capture') or has_refunds is distinct from true
        else kinds <> '' or has_refunds end`,
  },
  {
    name: 'a sale’s refunded amount is the sum of its refunds, whole from refunding on',
    sql: `
      select format('sale %s is %s, has refunded %s of %s, and refunds of %s', t.id, t.state, t.refunded_cents, t.amount, r.sum) as message
      from payments.transactions t
      left join (select sale_id, sum(amount_cents) filter (where state <> 'dropped') as sum from payments.refunds where {{sale:sale_id}} group by 1) r on r.sale_id = t.id
      where {{listing:t.listing_id}} and (t.refunded_cents <> coalesce(r.sum, case when t.state in ('refunding', 'refunded') then t.refunded_cents else 0 end)
        or (r.sale_id is not null or t.charged_back_cents > 0) and (t.refunded_cents + t.charged_back_cents >= t.amount) <> (t.state in ('refunding', 'refunded'))
        or t.refunded_cents + t.charged_back_cents >= t.amount and t.state not in ('refunding', 'refunded'))`,
  },
  {
    name: 'the ledger owes a buyer exactly the refunds that are not made',
    sql: `
      select format('sale %s is owed %s by the ledger, and has refunds of %s to be made', sale_id, coalesce(owed, 0), coalesce(due, 0)) as message
      from (
        select j.sale_id, 0 - sum(e.amount) as owed from payments.journals j join payments.entries e on e.journal_id = j.id
        where {{sale:j.sale_id}} and e.account = 'refund:due' group by 1
      ) ledger
      full join (
        select sale_id, sum(amount_cents) filter (where state in ('owed', 'pending')) as due from payments.refunds
        where {{sale:sale_id}} group by 1
      ) refunds using (sale_id)
      where coalesce(owed, 0) <> coalesce(due, 0)
        and exists (select from payments.refunds where refunds.sale_id = coalesce(ledger.sale_id, refunds.sale_id))`,
  },
  {
    name: 'a refund that is not made for 15 days is marked as stuck',
    sql: `
      select format('refund %s of sale %s is %s since %s', id, sale_id, state, created_at) as message
      from payments.refunds
      where {{sale:sale_id}} and state in ('owed', 'pending') and stuck_at is null and created_at < clock_timestamp() - interval '15 days'`,
  },
  {
    name: 'a refund returns the share of both fees that belongs to its amount',
    sql: `
      select format('sale %s has returned %s and %s of its fee %s for %s of %s', t.id, b.buyer, b.seller, t.transaction_fee, t.refunded_cents, t.amount) as message
      from payments.transactions t
      cross join lateral (
        select coalesce(sum(e.amount) filter (where e.account = 'fee:buyer'), 0) as buyer,
          coalesce(sum(e.amount) filter (where e.account = 'fee:seller'), 0) as seller
        from payments.journals j join payments.entries e on e.journal_id = j.id
        where j.sale_id = t.id and j.kind in ('refund_owed', 'refund_dropped', 'dispute_lost')
      ) b
      where {{listing:t.listing_id}} and exists (select from payments.journals j where j.sale_id = t.id and j.kind = 'capture')
        and (t.state = 'paid' or t.charged_back_cents > 0 or exists (select from payments.refunds r where r.sale_id = t.id))
        and (b.buyer, b.seller) is distinct from (
          ((2 * t.transaction_fee::bigint * least(t.amount, t.refunded_cents + t.charged_back_cents) + t.amount) / (2 * t.amount))::numeric,
          ((2 * t.transaction_fee::bigint * least(t.amount, t.refunded_cents + t.charged_back_cents) + t.amount) / (2 * t.amount))::numeric)`,
  },
  {
    name: 'a sale’s charged back amount is that of its lost disputes, and the ledger holds the money of the others',
    sql: `
      select format('sale %s has %s charged back, its disputes %s, withdrawn are %s', t.id, t.charged_back_cents, coalesce(d.sum, 0), coalesce(b.held, 0)) as message
      from payments.transactions t
      left join (
        select sale_id, sum(charged_back_cents) as sum, bool_or(closed_at is null) as is_open from payments.disputes
        where {{sale:sale_id}} group by 1
      ) d on d.sale_id = t.id
      left join (
        select j.sale_id, sum(e.amount) as held from payments.journals j join payments.entries e on e.journal_id = j.id
        where {{sale:j.sale_id}} and e.account = 'disputed' group by 1
      ) b on b.sale_id = t.id
      where {{listing:t.listing_id}} and (t.charged_back_cents <> coalesce(d.sum, 0) or t.is_disputed <> coalesce(d.is_open, false)
        or coalesce(b.held, 0) > 0 and not coalesce(d.is_open, false))`,
  },
  {
    name: 'a journal’s amounts equal the amounts of its sale',
    sql: `
      select format('%s of sale %s has posted %s on %s, not %s', kind, sale_id, coalesce(b.amount, 0), account, coalesce(p.amount, 0)) as message
      from (${posted}) b full join (${postings}) p using (sale_id, kind, account)
      where b.amount is distinct from p.amount`,
  },
]
