import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { buildApp } from '@marketplace/kit/http.ts'
import type { Log } from '@marketplace/kit/log.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSettings } from './config.ts'
import { crawlerRoutes } from './crawler-routes.ts'
import { pageRoutes } from './page-routes.ts'

// Pages are made per request: more than this costs more time than the bytes it saves.
const brotliQuality = 4

/** Names with a hash never change what they hold; the others are asked for again after an hour. */
function cacheControl(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** The files of a built web app, and its pages. */
export async function buildWebApp(dist: string, settings: WebSettings, log: Log): Promise<FastifyInstance> {
  const app = buildApp(log)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
  })
  await app.register(fastifyStatic, {
    root: dist,
    // One route per file, known at start: what is not there falls to the pages.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', cacheControl(path)),
  })
  if (settings.DEMO_PICTURES_DIR !== undefined) {
    await app.register(fastifyStatic, {
      root: settings.DEMO_PICTURES_DIR,
      prefix: '/demo-pictures/',
      decorateReply: false,
      index: false,
      maxAge: '1d',
    })
  }
  crawlerRoutes(app, settings)
  await pageRoutes(app, dist, settings)
  return app
}
