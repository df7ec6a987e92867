/** The pages of src/app/pages.tsx, and the module that each is loaded from. Opened directly, each gets index.html. */
const pages = [
  { path: /^\/$/, module: 'src/features/home/HomePage.tsx' },
  { path: /^\/listing\/[^/]+$/, module: 'src/features/listing/ListingPage.tsx' },
  { path: /^\/auth\/callback$/, module: 'src/features/auth/CallbackPage.tsx' },
  { path: /^\/sign-in$/, module: 'src/features/auth/SignInPage.tsx' },
  { path: /^\/create-listing$/, module: 'src/features/sell/CreateListingPage.tsx' },
  { path: /^\/my-listings$/, module: 'src/features/mine/MyListingsPage.tsx' },
  { path: /^\/messages$/, module: 'src/features/messages/MessagesPage.tsx' },
  { path: /^\/transactions$/, module: 'src/features/transactions/TransactionsPage.tsx' },
  { path: /^\/watchlist$/, module: 'src/features/watchlist/WatchlistPage.tsx' },
  { path: /^\/notification-preferences$/, module: 'src/features/preferences/PreferencesPage.tsx' },
  { path: /^\/terms$/, module: 'src/features/legal/TermsPage.tsx' },
  { path: /^\/privacy$/, module: 'src/features/legal/PrivacyPage.tsx' },
]

export type Answer = 'page' | 'unknown-page' | 'unknown-file'

/** What stands at a path that is no file. An unknown page is 404 too, but says so in the shape of a page. */
export function answerFor(path: string, accept: string | undefined): Answer {
  if (moduleOf(path) !== undefined) return 'page'
  const isForPerson = accept?.includes('text/html') === true && !/\.\w+$/.test(path)
  return isForPerson ? 'unknown-page' : 'unknown-file'
}

export function moduleOf(path: string): string | undefined {
  return pages.find((page) => page.path.test(path))?.module
}
