import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const green = '#0b7a55'
const paper = '#faf8f4'

interface Icon {
  file: string
  size: number
  /**
   * `any` icons keep the favicon's rounded corners. `maskable` and `apple` icons fill the square, because the operating
   * system cuts them to shape.
   */
  purpose: 'any' | 'maskable' | 'apple'
}

export const icons: readonly Icon[] = [
  { file: 'icon-192.png', size: 192, purpose: 'any' },
  { file: 'icon-512.png', size: 512, purpose: 'any' },
  { file: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
  { file: 'apple-touch-icon.png', size: 180, purpose: 'apple' },
]

const manifest = {
  id: '/',
  name: 'Marketplace',
  short_name: 'Marketplace',
  description: 'Buy and sell secondhand items at fixed prices or in live auctions, with clear fees.',
  start_url: '/',
  display: 'standalone',
  background_color: paper,
  theme_color: paper,
  icons: icons
    .filter(({ purpose }) => purpose !== 'apple')
    .map(({ file, size, purpose }) => ({ src: `/${file}`, sizes: `${size}x${size}`, type: 'image/png', purpose })),
}

export function renderIcon(svg: Buffer, { size, purpose }: Icon): Promise<Buffer> {
  // At the default density of 72 DPI, the SVG is rendered 32 px wide. The density is raised so that the SVG is rendered
  // at the icon's size, because enlarging a smaller image would blur it.
  const icon = sharp(svg, { density: (72 * size) / 32 }).resize(size, size)
  return (purpose === 'any' ? icon : icon.flatten({ background: green })).png({ palette: true }).toBuffer()
}

/** Writes manifest.webmanifest and renders its icons from the favicon. */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      const svg = await readFile(join(this.environment.config.publicDir, 'favicon.svg'))
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
      for (const icon of icons) {
        this.emitFile({ type: 'asset', fileName: icon.file, source: await renderIcon(svg, icon) })
      }
    },
  }
}
