/** A condition that the data must always meet. The query `sql` returns one row with a `message` for each violation. */
export interface Invariant {
  name: string
  /**
   * Query with placeholders such as `{{listing:b.listing_id}}`. If only changed rows are checked, a condition that
   * selects these rows replaces each placeholder (changes/scope.ts). If all rows are checked, `true` replaces it.
   */
  sql: string
  /**
   * True if the query reads only a few rows, regardless of the database's size. Such a query also runs when only
   * changed rows are checked, even if it has no placeholders.
   */
  isBounded?: boolean
}

export interface Violation {
  invariant: string
  message: string
}
