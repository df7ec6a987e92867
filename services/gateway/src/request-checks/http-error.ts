/** A rejection with a status that `DomainError` has no kind for. The kit's error handler sets the message by status. */
export class HttpError extends Error {
  readonly statusCode: number

  constructor(statusCode: 404 | 405 | 414) {
    super('The gateway rejected the request.')
    this.statusCode = statusCode
  }
}
