/**
 * Error with a status that no kind of `DomainError` has. The kit's error handler derives the message from the status.
 */
export class HttpError extends Error {
  readonly statusCode: number

  constructor(statusCode: 404 | 405 | 414) {
    super('The gateway rejected the request.')
    this.statusCode = statusCode
  }
}
