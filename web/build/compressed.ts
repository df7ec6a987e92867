import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

// Brotli's highest quality (11) would take ten times as long and make the files only 4 % smaller.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }

/**
 * Writes a .br and a .gz version next to each script, style sheet and SVG. The server sends these files, so that it
 * need not compress them on each request.
 */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const files = await readdir(dir, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|svg)$/.test(file)).map((file) => join(dir, file))
      await Promise.all(texts.map(compressFile))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotliOptions)),
    writeFile(`${path}.gz`, await promisify(gzip)(content)),
  ])
}
