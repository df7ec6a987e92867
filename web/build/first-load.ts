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

// Every prerendered page loads this script before its first paint.
const first = 'src/app/before-hydration.ts'

interface View {
  /** The modules that the page needs to become interactive. The size limit applies only to these modules. */
  first: string[]
  /** The modules that the page loads after the first paint, even if the user does nothing. */
  later: string[]
}

// Module that draws picture placeholders; pages load it after the first paint.
const drawing = 'src/ui/listing/draw-thumbhash.ts'

/**
 * The modules that each kind of page (view) loads; search results belong to `home`.
 * tests/pages/browse/first-load.spec.ts compares these lists with what a browser loads.
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

/**
 * Prints the Brotli-compressed size of the JavaScript that each view needs to become interactive. Fails the build if a
 * view exceeds the limit.
 */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    // Runs in closeBundle, when all files, including the manifest, have been written.
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

// Returns the total size, in bytes, of the .br files that compressed.ts wrote for the given files.
async function compressedSize(files: readonly string[], dist: string): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.br`))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
