import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf, readChunks, type Chunks } from '../server/chunks.ts'

interface FirstView {
  files: string[]
  laterFiles: string[]
  bytes: number
}

const limit = 130_000

// This script is loaded before the first paint of a prerendered page.
const first = 'src/app/before-hydration.ts'

interface View {
  /** The modules that the page loads to become interactive. Only these count for the limit. */
  first: string[]
  /** The modules that the page loads after the first paint, even if the user does nothing. */
  later: string[]
}

// Loaded while a picture loads.
const drawing = 'src/ui/listing/draw-thumbhash.ts'

/**
 * The modules of each view. The view `home` includes search results. tests/pages/browse/first-load.spec.ts compares the
 * modules with those that a browser loads.
 */
const views: Record<string, View> = {
  home: { first: [first, 'src/features/home/HomePage.tsx'], later: [drawing, 'src/related/RecentlyViewed.tsx'] },
  listing: {
    first: [first, 'src/features/listing/ListingPage.tsx'],
    later: [drawing, 'src/features/listing/purchase/ListingOffers.tsx', 'src/related/RelatedToListing.tsx'],
  },
  create: {
    first: [
      first,
      'src/features/create-listing/CreateListingPage.tsx',
      'src/features/create-listing/photos/PhotoSection.tsx',
    ],
    later: [],
  },
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
      const measured: Record<string, FirstView> = {}
      for (const [page, view] of Object.entries(views)) {
        const files = scriptsOf(chunks, view.first)
        const bytes = await compressedSize(files, dist)
        measured[page] = { files, laterFiles: scriptsOf(chunks, view.later), bytes }
        const sentence = `First load of ${page}: ${(bytes / 1000).toFixed(1)} kB of JavaScript, compressed with Brotli`
        if (bytes > limit) this.error(`${sentence}; the limit is ${limit / 1000} kB.`)
        this.info(sentence)
      }
      await writeFile(join(dist, '.vite/first-load.json'), JSON.stringify(measured))
    },
  }
}

function scriptsOf(chunks: Chunks, modules: readonly string[]): string[] {
  return filesOf(chunks, modules).filter((file) => file.endsWith('.js'))
}

// Measures the .br files that compressed.ts has written.
async function compressedSize(files: readonly string[], dist: string): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.br`))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
