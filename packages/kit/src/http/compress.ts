import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Compresses responses of 1 kB and more. Not for responses that have a secret or a person's messages or email address beside text
     * of others: their length would reveal it (BREACH).
     */
    compress?: boolean
  }
}

const minBytes = 1024
// Responses are compressed per request; a higher quality costs more time than the saved bytes are worth.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses the responses of routes with `config: { compress: true }`, and of no other route. */
export function compressMarkedRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.compress === true)
      route.compress = { threshold: minBytes, encodings: ['br', 'gzip'], brotliOptions }
  })
  app.register(compress, { global: false })
}
