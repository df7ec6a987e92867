import type { Invariant } from './invariant.ts'

// The expected entries of each journal kind, as in the ledger table of docs/architecture/sales.md. Keep both equal.
const postings = `
  select j.sale_id, j.kind, p.account, p.amount
  from payments.journals j join payments.transactions t on t.id = j.sale_id
  cross join lateral (values
    ('capture', 'provider', t.amount), ('capture', 'seller', t.transaction_fee - t.sale_price - t.shipping_cost),
    ('capture', 'fee:buyer', 0 - t.transaction_fee), ('capture', 'fee:seller', 0 - t.transaction_fee),
    ('late_capture', 'provider', t.amount), ('late_capture', 'refund:due', 0 - t.amount),
    ('refund_owed', 'seller', t.sale_price + t.shipping_cost - t.transaction_fee),
    ('refund_owed', 'fee:buyer', t.transaction_fee), ('refund_owed', 'fee:seller', t.transaction_fee),
    ('refund_owed', 'refund:due', 0 - t.amount),
    ('refund_paid', 'provider', 0 - t.amount), ('refund_paid', 'refund:due', t.amount)
  ) as p (kind, account, amount)
  where p.kind = j.kind and p.amount <> 0`

const posted = `
  select j.sale_id, j.kind, e.account, sum(e.amount) as amount
  from payments.journals j join payments.entries e on e.journal_id = j.id
  group by j.sale_id, j.kind, e.account`

export const ledgerInvariants: readonly Invariant[] = [
  {
    name: 'each journal of the ledger sums to zero',
    sql: `
      select format('journal %s (%s of sale %s) sums to %s', j.id, j.kind, j.sale_id, sum(e.amount)) as message
      from payments.journals j left join payments.entries e on e.journal_id = j.id
      group by j.id having sum(e.amount) is distinct from 0`,
  },
  {
    name: 'a sale’s journals are those of its state',
    sql: `
      select format('sale %s is %s and has the journals %s', t.id, t.state, kinds) as message
      from payments.transactions t
      cross join lateral (
        select coalesce(string_agg(kind, ', ' order by kind), '') as kinds from payments.journals where sale_id = t.id
      ) j
      where case t.state when 'paid' then kinds <> 'capture'
        when 'refunding' then kinds not in ('capture, refund_owed', 'late_capture')
        when 'refunded' then kinds not in ('capture, refund_owed, refund_paid', 'late_capture, refund_paid')
        else kinds <> '' end`,
  },
  {
    name: 'a journal books what its sale comes to',
    sql: `
      select format('%s of sale %s books %s on %s, not %s', kind, sale_id, coalesce(b.amount, 0), account, coalesce(p.amount, 0)) as message
      from (${posted}) b full join (${postings}) p using (sale_id, kind, account)
      where b.amount is distinct from p.amount`,
  },
]
