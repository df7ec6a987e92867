/** A condition that the data must always meet. The query returns one row with a `message` for each violation. */
export interface Invariant {
  name: string
  /**
   * Query with placeholders such as `{{listing:b.listing_id}}`. If only changed rows are checked, each placeholder is
   * replaced by a condition that selects these rows (changes/scope.ts). If all rows are checked, it is replaced by
   * `true`.
   */
  sql: string
  /**
   * True if the query reads few rows in any database. It then runs even without placeholders when only changed rows are
   * checked.
   */
  isBounded?: boolean
}

export interface Violation {
  invariant: string
  message: string
}
