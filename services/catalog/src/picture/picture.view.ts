import { ListingPictureView, toPictureView } from '@marketplace/contracts/pictures.ts'
import { z } from 'zod'
import { toStored, type Picture } from './picture.ts'

export const PictureView = ListingPictureView.omit({ alt: true })
  .extend({
    id: z.uuidv7(),
    state: z.enum(['announced', 'uploaded', 'ready', 'refused']),
    reason: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Picture' })

const notReady = {
  url: null,
  base: null,
  widths: null,
  formats: null,
  width: null,
  height: null,
  thumbhash: null,
}

export function toView(picture: Picture, origin: string | undefined): z.output<typeof PictureView> {
  const { id, state, reason } = picture
  if (state === 'deleting') throw new Error('A picture that is being deleted is not shown.')
  const stored = toStored(picture, null)
  if (stored === null) return { id, state, reason, ...notReady }
  const { alt: _, ...shown } = toPictureView(stored, origin)
  return { id, state, reason, ...shown }
}
