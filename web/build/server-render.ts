import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

/**
 * Builds the pages a second time, for prerendering on the web server. The result is one file that includes React and all
 * other dependencies.
 */
export function serverRender(): Plugin {
  return {
    name: 'server-render',
    apply: 'build',
    async closeBundle() {
      const { root, build: options } = this.environment.config
      await build({
        root,
        configFile: false,
        plugins: [react()],
        logLevel: 'warn',
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { noExternal: true },
        build: {
          ssr: 'src/app/render-page.tsx',
          outDir: join(options.outDir, '.server'),
          copyPublicDir: false,
          cssTarget: options.cssTarget,
          target: 'node24',
          rolldownOptions: { output: { codeSplitting: false } },
        },
      })
    },
  }
}
