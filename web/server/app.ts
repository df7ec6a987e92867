import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { buildApp } from '@marketplace/kit/http/http.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSettings } from './config.ts'
import { crawlerRoutes } from './crawler-routes.ts'
import { pageRoutes } from './page-routes.ts'

// Pages are compressed on each request. A higher quality would take more time than the smaller response saves.
const brotliQuality = 5

/**
 * Returns the Cache-Control header of a file. Browsers cache a file with a hash in its name for a year, because it
 * never changes, and revalidate other files after an hour.
 */
function cacheControl(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** Builds the web server, which serves the pages and the files in `dist`. */
export async function buildWebApp(dist: string, settings: WebSettings, log: Log): Promise<FastifyInstance> {
  const app = buildApp(log)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
  })
  await app.register(fastifyStatic, {
    root: dist,
    // With `false`, the plugin handles only paths of existing files, and all other paths reach the page routes.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', cacheControl(path)),
  })
  crawlerRoutes(app, settings)
  await pageRoutes(app, dist, settings)
  return app
}
