/** A condition that the data must always meet. The query returns one row with a `message` for each violation. */
export interface Invariant {
  name: string
  sql: string
}

export interface Violation {
  invariant: string
  message: string
}
