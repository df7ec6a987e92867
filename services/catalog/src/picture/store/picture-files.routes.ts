import { missing } from '@marketplace/kit/errors/problem.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import type { ServedStore } from './picture-store.ts'

const keyForm = /^[0-9a-f-]{36}-[0-9a-f]{16}$/
const fileForm = /^\d{2,5}\.(avif|webp|jpg)$/
const types: Readonly<Record<string, string>> = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }

// Caching is limited to 30 days, so that deleted pictures disappear from caches.
const cacheControl = 'public, max-age=2592000, immutable'

/**
 * Serves pictures from the local store. Responds with 404 if `store` is null, because pictures are then stored in S3.
 */
export function pictureFilesRoutes(app: PublicApp, store: ServedStore | null): void {
  app.get(
    '/pictures/:key/:file',
    {
      config: { open: true, ignoresSession: true },
      schema: { hide: true, params: z.object({ key: z.string(), file: z.string() }) },
    },
    async (request, reply) => {
      const { key, file } = request.params
      const [, extension = ''] = fileForm.exec(file) ?? []
      const found = store && extension && keyForm.test(key) ? await store.open(`pictures/${key}/${file}`) : null
      if (!found) throw missing('picture')
      return reply
        .headers({
          'content-type': types[extension],
          'content-length': found.byteSize,
          'cache-control': cacheControl,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
          'timing-allow-origin': '*',
        })
        .send(found.body)
    },
  )
}
