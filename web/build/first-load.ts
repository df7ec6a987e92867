import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf, readChunks } from '../server/chunks.ts'

interface FirstView {
  files: string[]
  bytes: number
}

const limit = 130_000

// This script is loaded before the first paint of a prerendered page.
const first = 'src/app/before-hydration.ts'

// Loaded while a picture loads.
const drawing = 'src/ui/listing/draw-thumbhash.ts'

/**
 * The modules that each page loads before a signed-in user sees all of the page. tests/pages/browse/first-load.spec.ts
 * compares this list with the modules that a browser loads.
 */
const firstViews = {
  home: [first, 'src/features/home/HomePage.tsx', drawing],
  listing: [first, 'src/features/listing/ListingPage.tsx', 'src/features/listing/purchase/ListingOffers.tsx', drawing],
  create: [
    first,
    'src/features/create-listing/CreateListingPage.tsx',
    'src/features/create-listing/photos/PhotoSection.tsx',
  ],
}

/** Prints the size, compressed with Brotli, of the JavaScript of each first view and fails the build if it exceeds the limit. */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    // The hook closeBundle is used, because it runs after all files, including the manifest, are written.
    async closeBundle() {
      const dist = this.environment.config.build.outDir
      const chunks = await readChunks(dist)
      const views: Record<string, FirstView> = {}
      for (const [page, modules] of Object.entries(firstViews)) {
        views[page] = await measure(filesOf(chunks, modules), dist)
        const sentence = `First load of ${page}: ${(views[page].bytes / 1000).toFixed(1)} kB of JavaScript, compressed with Brotli`
        if (views[page].bytes > limit) this.error(`${sentence}; the limit is ${limit / 1000} kB.`)
        this.info(sentence)
      }
      await writeFile(join(dist, '.vite/first-load.json'), JSON.stringify(views))
    },
  }
}

async function measure(all: string[], dist: string): Promise<FirstView> {
  const files = all.filter((file) => file.endsWith('.js'))
  // compressed.ts has written these files.
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.br`))).size))
  return { files, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
