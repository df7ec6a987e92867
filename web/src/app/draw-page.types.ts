import type { FirstAnswer } from '../api/first-answer.ts'

type DrawRequest = {
  /** Path and query. */
  address: string
  answer: FirstAnswer
  origin: string
  supportEmail: string
}

/** The HTML of #root. */
export type DrawPage = (request: DrawRequest) => Promise<string>
