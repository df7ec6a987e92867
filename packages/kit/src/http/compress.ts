import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Compresses responses of 1 kB and more. Do not set this option on a route whose response contains both
     * confidential data (a secret, messages or an email address) and text that another user wrote: the length of the
     * compressed response would reveal the confidential data (BREACH attack).
     */
    compress?: boolean
  }
}

const minBytes = 1024
// The quality is low to save CPU time, because each response is compressed when it is sent.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses the responses of routes with `config: { compress: true }`, and of no other route. */
export function compressMarkedRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.compress === true)
      route.compress = { threshold: minBytes, encodings: ['br', 'gzip'], brotliOptions }
  })
  app.register(compress, { global: false })
}
