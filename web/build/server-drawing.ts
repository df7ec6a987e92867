import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

/** Builds the pages a second time, for web's server, which draws them ahead: one file, with React and all it needs. */
export function serverDrawing(): Plugin {
  return {
    name: 'server-drawing',
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
          ssr: 'src/app/draw-page.tsx',
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
