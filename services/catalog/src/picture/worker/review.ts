import type { ProcessedPicture } from './process-picture.ts'

/** `blocked`: the picture is refused. `flagged`: it is shown, and a person looks at it. */
export type ReviewResult = 'clear' | 'flagged' | 'blocked'

/** Decides whether a picture may be shown. Called before the picture becomes ready. */
export interface PictureReview {
  review(picture: ProcessedPicture): Promise<ReviewResult>
}

/** The default review, which clears every picture. */
export const clearEverything: PictureReview = { review: async () => 'clear' }
