import multipart from '@fastify/multipart'
import { invalid, missing } from '@marketplace/kit/errors/problem.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { maxUploadBytes } from '../picture.ts'
import type { ServedStore } from './picture-store.ts'

const maxFormBytes = maxUploadBytes + 64 * 1024
// Maximum size of a form field. The fields of a signed form are much smaller.
const maxFieldBytes = 8 * 1024
const maxFields = 10

/**
 * Route that receives uploads into the local store. Responds with 404 if `store` is null: browsers then upload to S3.
 */
export function uploadsRoutes(app: PublicApp, store: ServedStore | null): void {
  app.register(async (scope) => {
    scope.register(multipart, {
      limits: { files: 1, fields: maxFields, fieldSize: maxFieldBytes, fileSize: maxUploadBytes + 1 },
    })
    scope.post(
      '/api/uploads',
      { bodyLimit: maxFormBytes, config: { open: true, ignoresSession: true }, schema: { hide: true } },
      async (request, reply) => {
        if (!store) throw missing('address')
        if (!request.isMultipart()) throw invalid('body', 'Send a multipart form')
        const fields: Record<string, string> = {}
        for await (const part of request.parts()) {
          if (part.type === 'field') {
            fields[part.fieldname] = String(part.value)
            continue
          }
          if (part.fieldname !== 'file') throw invalid(part.fieldname, 'Send the file as the field file')
          await store.takeUpload(fields, part.file)
          return reply.code(201).send({})
        }
        throw invalid('file', 'Send the file after all other fields')
      },
    )
  })
}
