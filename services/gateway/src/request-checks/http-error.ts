/** Error with an HTTP status, for which the error handler chooses the message to the client. */
export class HttpError extends Error {
  readonly statusCode: number

  constructor(statusCode: 404 | 405 | 414) {
    super('The gateway rejected the request.')
    this.statusCode = statusCode
  }
}
