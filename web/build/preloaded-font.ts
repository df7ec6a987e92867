import type { Plugin } from 'vite'

const latin = /figtree-latin-wght-normal-[\w-]+\.woff2$/

/**
 * Adds a preload link for the Latin font, so that the browser fetches the font at the same time as the style sheet that
 * uses it.
 */
export function preloadedFont(): Plugin {
  return {
    name: 'preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => latin.test(file))
        if (font === undefined) throw new Error('The build contains no Latin font to preload.')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
