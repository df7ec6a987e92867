/** The pages of src/app/router.tsx: opened directly, each gets index.html, which the browser turns into the page. */
const pages = [
  /^\/$/,
  /^\/listing\/[^/]+$/,
  /^\/(?:auth\/callback|sign-in|create-listing|my-listings|messages|transactions|watchlist)$/,
  /^\/(?:notification-preferences|terms|privacy)$/,
]

export type Answer = 'page' | 'unknown-page' | 'unknown-file'

/** What stands at a path that is no file. An unknown page is 404 too, but says so in the shape of a page. */
export function answerFor(path: string, accept: string | undefined): Answer {
  if (pages.some((page) => page.test(path))) return 'page'
  const isForPerson = accept?.includes('text/html') === true && !/\.\w+$/.test(path)
  return isForPerson ? 'unknown-page' : 'unknown-file'
}
