import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './build/chunk-groups.ts'
import { compressed } from './build/compressed.ts'
import { firstLoad } from './build/first-load.ts'
import { preloadedFont } from './build/preloaded-font.ts'
import { serverRender } from './build/server-render.ts'

const modern = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  plugins: [react(), preloadedFont(), compressed(), firstLoad(), serverRender()],
  build: {
    target: modern,
    // For older targets, the light-dark() pairs of tokens.css would be rewritten into variables per rule.
    cssTarget: modern,
    assetsInlineLimit: 0,
    // The web server reads the files of each page from the manifest.
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/app/before-hydration.ts'],
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
