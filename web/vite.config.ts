import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './build/chunk-groups.ts'
import { compressed } from './build/compressed.ts'
import { firstLoad } from './build/first-load.ts'
import { preloadedFont } from './build/preloaded-font.ts'
import { serverDrawing } from './build/server-drawing.ts'

const modern = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  plugins: [react(), preloadedFont(), compressed(), firstLoad(), serverDrawing()],
  // The tokens are light-dark() pairs; older targets would have them rewritten into variables per rule.
  // The manifest tells the server which files a page needs.
  build: {
    target: modern,
    cssTarget: modern,
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/app/before-drawing.ts'],
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
