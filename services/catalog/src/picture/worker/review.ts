import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { z } from 'zod'
import type { WorkerSettings } from './config.ts'
import type { ProcessedPicture } from './process-picture.ts'

const ReviewResult = z.enum(['clear', 'flagged', 'blocked'])

/**
 * `blocked`: the picture is refused. `flagged`: the picture is shown, but a person must check it. `clear`: the picture
 * is shown.
 */
export type ReviewResult = z.output<typeof ReviewResult>

/** Decides whether a picture may be shown. Called before the picture becomes ready. */
export interface PictureReview {
  review(picture: ProcessedPicture): Promise<ReviewResult>
}

/** The default review, which clears every picture. */
export const clearEverything: PictureReview = { review: async () => 'clear' }

type ReviewSettings = Pick<WorkerSettings, 'PICTURE_REVIEW_URL' | 'PICTURE_REVIEW_TIMEOUT_MS'>

export function openReview(settings: ReviewSettings, log: Log): PictureReview {
  const { PICTURE_REVIEW_URL: url, PICTURE_REVIEW_TIMEOUT_MS: timeoutMs } = settings
  return url === undefined ? clearEverything : createHttpReview({ url, timeoutMs, log })
}

const ReviewBody = z.object({ result: ReviewResult })

/**
 * Posts the largest JPEG of each picture to a review service, which responds with `{result}`. A picture is flagged when
 * the service fails, does not respond in time or responds with anything else.
 */
export function createHttpReview({ url, timeoutMs, log }: { url: string; timeoutMs: number; log: Log }): PictureReview {
  return {
    async review({ facts, files }) {
      const master = files.findLast(({ contentType }) => contentType === 'image/jpeg')
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'image/jpeg', 'x-picture-hash': facts.hash },
          body: master ? Uint8Array.from(master.body) : null,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        })
        if (!response.ok) throw new Error(`The review service responded ${response.status}.`)
        return ReviewBody.parse(await response.json()).result
      } catch (error) {
        log.warn({ err: error, hash: facts.hash }, 'picture not reviewed')
        return 'flagged'
      }
    },
  }
}
