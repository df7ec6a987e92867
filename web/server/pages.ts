const sellerPath = /^\/sellers\/[^/]+$/

/** The path and the module of each page. The paths must match the routes in src/app/pages.tsx. */
const pages = [
  { path: /^\/$/, module: 'src/features/home/HomePage.tsx' },
  { path: /^\/listing\/[^/]+$/, module: 'src/features/listing/ListingPage.tsx' },
  { path: /^\/listing\/[^/]+\/edit$/, module: 'src/features/create-listing/edit/EditListingPage.tsx' },
  { path: /^\/auth\/callback$/, module: 'src/features/auth/CallbackPage.tsx' },
  { path: /^\/sign-in$/, module: 'src/features/auth/SignInPage.tsx' },
  { path: /^\/create-listing$/, module: 'src/features/create-listing/CreateListingPage.tsx' },
  { path: /^\/my-listings$/, module: 'src/features/my-listings/MyListingsPage.tsx' },
  { path: /^\/my-bids$/, module: 'src/features/my-bids/MyBidsPage.tsx' },
  { path: /^\/offers$/, module: 'src/features/offers/OffersPage.tsx' },
  { path: /^\/messages$/, module: 'src/features/messages/MessagesPage.tsx' },
  { path: /^\/transactions$/, module: 'src/features/transactions/TransactionsPage.tsx' },
  { path: /^\/watchlist$/, module: 'src/features/watchlist/WatchlistPage.tsx' },
  { path: /^\/notification-preferences$/, module: 'src/features/preferences/PreferencesPage.tsx' },
  { path: /^\/sessions$/, module: 'src/features/sessions/SessionsPage.tsx' },
  { path: /^\/blocked-members$/, module: 'src/features/blocked-members/BlockedMembersPage.tsx' },
  { path: sellerPath, module: 'src/features/seller/SellerPage.tsx' },
  { path: /^\/terms$/, module: 'src/features/legal/TermsPage.tsx' },
  { path: /^\/privacy$/, module: 'src/features/legal/PrivacyPage.tsx' },
]

export type PageKind = 'page' | 'unknown-page' | 'unknown-file'

/**
 * Returns the kind of response to a path that matches no static file: a page, an HTML 404 page (`unknown-page`), or a
 * 404 that is not HTML (`unknown-file`).
 */
export function pageKind(path: string, accept: string | undefined): PageKind {
  if (moduleOf(path) !== undefined) return 'page'
  const isPage = accept?.includes('text/html') === true && !/\.\w+$/.test(path)
  return isPage ? 'unknown-page' : 'unknown-file'
}

/** Returns whether search engines may index the page. Profile pages of sellers must not be indexed. */
export function isIndexed(path: string): boolean {
  return !sellerPath.test(path)
}

export function moduleOf(path: string): string | undefined {
  return pages.find((page) => page.path.test(path))?.module
}
