import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { line } from '@marketplace/kit/http/text.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { announcePicture } from './announce-picture.ts'
import { completePicture, readOwnPicture } from './complete-picture.ts'
import { deletePicture } from './delete-picture.ts'
import { maxUploadBytes, pictureTypes } from './picture.ts'
import { PictureView, toView } from './picture.view.ts'

// Types and maximum size are only documented, with `meta`: a schema check would respond with 400, not 413 or 415.
const AnnouncePicture = z
  .object({
    content_type: line({ max: 100 }).meta({ enum: pictureTypes }),
    byte_size: z.int().min(1).meta({ maximum: maxUploadBytes }),
  })
  .meta({ id: 'AnnouncePicture' })
const AnnouncedPicture = z
  .object({
    id: z.uuidv7(),
    upload: z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'AnnouncedPicture' })
const params = z.object({ id: z.string() })

export function picturesRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const schema = { params, response: routeResponses({ 200: PictureView }) }
  app.post(
    '/api/pictures',
    {
      schema: {
        description:
          'Send the fields of `upload` and then the file as `file` in a multipart form to `upload.url`, before `expires_at`. Then complete the picture.',
        body: AnnouncePicture,
        response: routeResponses({ 201: AnnouncedPicture }),
      },
    },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 201 }, async (trx) => {
        const { content_type: contentType, byte_size: byteSize } = request.body
        const { userId: uploaderId } = callerOf(request)
        const { id, upload, expiresAt } = await announcePicture(ctx, trx, { uploaderId, contentType, byteSize })
        return { id, upload, expires_at: expiresAt.toISOString() }
      }),
  )
  app.post(
    '/api/pictures/:id/complete',
    // Completing a picture is idempotent, so the request needs no idempotency key.
    { config: { acceptsKey: false }, schema: { ...schema, response: routeResponses({ 200: PictureView }, 409) } },
    async (request) =>
      toView(await completePicture(ctx, request.params.id, callerOf(request).userId), settings.PICTURES_ORIGIN),
  )
  app.get('/api/pictures/:id', { schema }, async (request) =>
    toView(await readOwnPicture(ctx, request.params.id, callerOf(request).userId), settings.PICTURES_ORIGIN),
  )
  app.delete(
    '/api/pictures/:id',
    { schema: { params, response: routeResponses({ 200: z.strictObject({}) }, 409) } },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await deletePicture(trx, request.params.id, callerOf(request).userId)
        return {}
      }),
  )
}
