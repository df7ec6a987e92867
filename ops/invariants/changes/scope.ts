import type { Invariant } from '../invariant.ts'

/** Which rows a check covers: all, or only those of the listings and sales that were passed to `setScope`. */
export type Scope = 'all' | 'changed'

const listings = `current_setting('ops.listings')::uuid[]`
const sales = `current_setting('ops.sales')::uuid[]`

// SQL conditions that restrict a check to changed rows, by placeholder name. For example, the result of
// `conditions.listing('b.listing_id')` replaces the placeholder `{{listing:b.listing_id}}`.
const conditions: Readonly<Record<string, (column: string) => string>> = {
  listing: (column) => `${column} = any(${listings})`,
  sale: (column) => `${column} in (select id from payments.transactions where listing_id = any(${listings}))`,
  'read-sale': (column) => `${column} = any(${sales})`,
  // Makes a left join match no rows, because reading the whole joined table would be too slow for a check of changed
  // rows.
  'no-rows': () => 'false',
  overdue: (column) => `${column} < statement_timestamp() - interval '1 minute'`,
}

// Maximum number of violations returned per invariant, because a broken invariant could return millions of rows.
const maxViolations = 1000

/**
 * Returns the SQL that checks an invariant, for all rows or only for changed rows. Returns null if the invariant cannot
 * be checked for changed rows only. Throws if the SQL has an unknown placeholder.
 */
export function statementOf({ sql, isBounded = false }: Invariant, scope: Scope): string | null {
  const hasConditions = sql.includes('{{')
  if (scope === 'changed' && !hasConditions && !isBounded) return null
  const statement = sql.replaceAll(/\{\{([a-z-]+):([^}]+)\}\}/g, (_, kind: string, column: string) => {
    const condition = conditions[kind]
    if (!condition) throw new Error(`The invariant has an unknown condition: ${kind}`)
    return scope === 'all' ? 'true' : `(${condition(column)})`
  })
  return scope === 'all' ? statement : `select message from (${statement}) as violations limit ${maxViolations}`
}
