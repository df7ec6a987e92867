import type { Invariant } from '../invariant.ts'

/** What a check covers: all rows, or those of the listings and sales that `setScope` named. */
export type Scope = 'all' | 'changed'

const listings = `current_setting('ops.listings')::uuid[]`
const sales = `current_setting('ops.sales')::uuid[]`

// Conditions for `{{kind:column}}` in the SQL of an invariant. Those on a column have an index to follow.
const conditions: Readonly<Record<string, (column: string) => string>> = {
  listing: (column) => `${column} = any(${listings})`,
  sale: (column) => `${column} in (select id from payments.transactions where listing_id = any(${listings}))`,
  'read-sale': (column) => `${column} = any(${sales})`,
  // A join that only a check of all rows makes.
  whole: () => 'false',
  overdue: (column) => `${column} < statement_timestamp() - interval '1 minute'`,
}

// Bounds what a broken invariant returns.
const maxViolations = 1000

/**
 * Returns the statement of an invariant for this scope; null when the invariant cannot be checked for changed rows alone.
 * Throws for an unknown kind of condition.
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
