/** A refusal that no service has a kind for; the kit's error handler words it by its status. */
export class Refusal extends Error {
  readonly statusCode: number

  constructor(statusCode: 404 | 405 | 414) {
    super('The gateway refused the request.')
    this.statusCode = statusCode
  }
}
