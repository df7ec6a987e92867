/** A condition that the data must always meet. The query returns one row with a `message` for each violation. */
export interface Invariant {
  name: string
  /**
   * May contain conditions such as `{{listing:b.listing_id}}` (changes/scope.ts): they limit the statement to changed rows when only
   * changes are checked, and are true when everything is.
   */
  sql: string
  /** Whether the statement reads few rows in any database, so that it is part of each check of changes. */
  isBounded?: boolean
}

export interface Violation {
  invariant: string
  message: string
}
