/** Error with only an HTTP status, from which the error handler derives the message. */
export class HttpError extends Error {
  readonly statusCode: number

  constructor(statusCode: 404 | 405 | 414) {
    super('The gateway rejected the request.')
    this.statusCode = statusCode
  }
}
