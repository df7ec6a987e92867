import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import { buildApp } from '@marketplace/kit/http/http.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSettings } from './config.ts'
import { crawlerRoutes } from './crawler-routes.ts'
import { pageRoutes } from './page-routes.ts'

// Each page is compressed on request. A higher quality would cost more time than the saved bytes are worth.
const brotliQuality = 4

/**
 * Files with a hash in their name never change and are cached forever. Browsers revalidate the other files after an hour.
 */
function cacheControl(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** Builds the server for the files in `dist` and for the pages. */
export async function buildWebApp(dist: string, settings: WebSettings, log: Log): Promise<FastifyInstance> {
  const app = buildApp(log)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
  })
  await app.register(fastifyStatic, {
    root: dist,
    // Without a wildcard, the plugin registers one route per existing file. Any other path then reaches the page routes.
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
