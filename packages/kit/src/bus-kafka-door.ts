/** Opens when a group has dealt its parts, and closes when it is about to deal them anew. */
export class Door {
  #opening = Promise.withResolvers<void>()
  #isOpen = false

  /** Resolves when it opens; the same until an open door closes. */
  get opened(): Promise<void> {
    return this.#opening.promise
  }

  open(): void {
    this.#isOpen = true
    this.#opening.resolve()
  }

  /** One that is closed stays as it is: a group may begin several times before it has dealt, and those who wait go on waiting. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#opening = Promise.withResolvers()
  }
}
