import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const modern = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  plugins: [react()],
  // The tokens are light-dark() pairs; older targets would have them rewritten into variables per rule.
  build: { target: modern, cssTarget: modern, assetsInlineLimit: 0 },
})
