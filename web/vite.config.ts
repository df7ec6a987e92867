import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { appIcons } from './build/app-icons.ts'
import { chunkGroups } from './build/chunk-groups.ts'
import { compressed } from './build/compressed.ts'
import { firstLoad } from './build/first-load.ts'
import { preloadedFont } from './build/preloaded-font.ts'
import { serverRender } from './build/server-render.ts'

const modern = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  plugins: [react(), appIcons(), preloadedFont(), compressed(), firstLoad(), serverRender()],
  build: {
    target: modern,
    // Prevents Vite from replacing light-dark() in the CSS with longer code for older browsers.
    cssTarget: modern,
    assetsInlineLimit: 0,
    // The web server reads the manifest to find the scripts and style sheets of each page.
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/app/before-hydration.ts'],
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
