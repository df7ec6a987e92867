import type { Plugin } from 'vite'

const latin = /figtree-latin-wght-normal-[\w-]+\.woff2$/

/** Lets the browser fetch the font of the first words beside the styles that name it, not after them. */
export function preloadedFont(): Plugin {
  return {
    name: 'preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => latin.test(file))
        if (font === undefined) throw new Error('The build has no latin font to preload.')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
