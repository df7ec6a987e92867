/** A sentence that must hold of the database; its query answers a row, with a `finding`, for each place where it does not. */
export interface Invariant {
  name: string
  sql: string
}

export interface Finding {
  invariant: string
  finding: string
}
