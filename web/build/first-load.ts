import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { filesOf, readChunks } from '../server/chunks.ts'

const limit = 160_000

/** What each page loads before it shows all of itself to somebody signed in; e2e/pages/first-load.spec.ts compares. */
const firstViews = {
  home: ['src/features/home/HomePage.tsx'],
  listing: ['src/features/listing/ListingPage.tsx', 'src/features/listing/ListingOffers.tsx'],
}

/** Prints the gzipped JavaScript of each first view, and fails the build where it is too much. */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    // After all files are written, the manifest among them.
    async closeBundle() {
      const dist = this.environment.config.build.outDir
      const chunks = await readChunks(dist)
      for (const [page, modules] of Object.entries(firstViews)) {
        const bytes = await sizeOf(filesOf(chunks, modules), dist)
        const sentence = `First load of ${page}: ${(bytes / 1000).toFixed(1)} kB of JavaScript, gzipped`
        if (bytes > limit) this.error(`${sentence}; the limit is ${limit / 1000} kB.`)
        this.info(sentence)
      }
    },
  }
}

async function sizeOf(files: string[], dist: string): Promise<number> {
  const scripts = files.filter((file) => file.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (file) => gzipSync(await readFile(join(dist, file))).length))
  return sizes.reduce((sum, size) => sum + size, 0)
}
