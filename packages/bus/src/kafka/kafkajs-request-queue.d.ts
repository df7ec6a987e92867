// Declares an internal class of kafkajs, with only the members that request-queue-patch.ts and its test use.
declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface Options {
    maxInFlightRequests: number | null
    requestTimeout: number
    enforceRequestTimeout: boolean
    clientId: string
    broker: string
    logger: { debug(message: string): void; warn(message: string): void }
  }

  interface Request {
    entry: {
      correlationId: number
      apiKey: number
      apiName: string
      apiVersion: number
      resolve(response: unknown): void
      reject(error: Error): void
    }
    expectResponse: boolean
    sendRequest(): void
  }

  export default class RequestQueue {
    constructor(options: Options)
    pending: readonly unknown[]
    throttledUntil: number
    throttleCheckTimeoutId: NodeJS.Timeout | null
    push(request: Request): void
    fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void
    maybeThrottle(ms: number): void
    checkPendingRequests(): void
    scheduleCheckPendingRequests(): void
    destroy(): void
  }
}
