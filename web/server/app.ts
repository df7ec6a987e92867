import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { buildApp } from '@marketplace/kit/http.ts'
import type { Log } from '@marketplace/kit/log.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSettings } from './config.ts'
import { answerFor } from './pages.ts'

type FilesSettings = Pick<WebSettings, 'SUPPORT_EMAIL' | 'DEMO_PICTURES_DIR'>

/** index.html is read once; the address in its meta element is the only thing filled in. */
async function readIndex(dist: string, supportEmail: string): Promise<string> {
  const index = await readFile(join(dist, 'index.html'), 'utf8')
  return index.replace(
    /(<meta name="support-email" content=")[^"]*"/,
    (_all, start: string) => `${start}${supportEmail}"`,
  )
}

/** Names with a hash never change what they hold; the others are asked for again after an hour. */
function cacheControl(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** The files of a built web app, and its pages. */
export async function buildWebApp(dist: string, settings: FilesSettings, log: Log): Promise<FastifyInstance> {
  const app = buildApp(log)
  const index = await readIndex(dist, settings.SUPPORT_EMAIL)
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
  app.get('/*', (request, reply) => {
    const [path = '/'] = request.url.split('?')
    const answer = answerFor(path, request.headers.accept)
    if (answer === 'unknown-file') return reply.callNotFound()
    return reply
      .code(answer === 'page' ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(index)
  })
  return app
}
