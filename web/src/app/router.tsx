import { createBrowserRouter } from 'react-router-dom'
import { categoriesQuery, listingQuery, listingsQuery } from '../api/queries.ts'
import { readFilters } from '../features/home/filters.ts'
import { Shell } from '../features/shell/Shell.tsx'
import { RequireSignIn } from '../session/RequireSignIn.tsx'
import { PageFailed } from './PageFailed.tsx'
import { queryClient } from './query-client.ts'

function alreadyLogged() {}

/** Starts a page's fetch beside the download of its code; the page itself reads the same query. */
function startHome({ request }: { request: Request }) {
  queryClient.query(categoriesQuery).catch(alreadyLogged)
  queryClient.infiniteQuery(listingsQuery(readFilters(new URL(request.url).searchParams))).catch(alreadyLogged)
  return null
}

function startListing({ params }: { params: { id?: string } }) {
  if (params.id !== undefined) queryClient.query(listingQuery(params.id)).catch(alreadyLogged)
  return null
}

export const router = createBrowserRouter([
  {
    element: <Shell />,
    HydrateFallback: () => null,
    children: [
      {
        errorElement: <PageFailed />,
        children: [
          {
            path: '/',
            loader: startHome,
            lazy: async () => ({ Component: (await import('../features/home/HomePage.tsx')).HomePage }),
          },
          {
            path: '/listing/:id',
            loader: startListing,
            lazy: async () => ({ Component: (await import('../features/listing/ListingPage.tsx')).ListingPage }),
          },
          {
            path: '/sign-in',
            lazy: async () => ({ Component: (await import('../features/auth/SignInPage.tsx')).SignInPage }),
          },
          {
            path: '/auth/callback',
            lazy: async () => ({ Component: (await import('../features/auth/CallbackPage.tsx')).CallbackPage }),
          },
          {
            path: '/terms',
            lazy: async () => ({ Component: (await import('../features/legal/TermsPage.tsx')).TermsPage }),
          },
          {
            path: '/privacy',
            lazy: async () => ({ Component: (await import('../features/legal/PrivacyPage.tsx')).PrivacyPage }),
          },
          {
            path: '/notification-preferences',
            lazy: async () => ({
              Component: (await import('../features/preferences/PreferencesPage.tsx')).PreferencesPage,
            }),
          },
          {
            element: <RequireSignIn />,
            children: [
              {
                path: '/create-listing',
                lazy: async () => ({
                  Component: (await import('../features/sell/CreateListingPage.tsx')).CreateListingPage,
                }),
              },
              {
                path: '/my-listings',
                lazy: async () => ({ Component: (await import('../features/mine/MyListingsPage.tsx')).MyListingsPage }),
              },
              {
                path: '/messages',
                lazy: async () => ({ Component: (await import('../features/messages/MessagesPage.tsx')).MessagesPage }),
              },
              {
                path: '/watchlist',
                lazy: async () => ({
                  Component: (await import('../features/watchlist/WatchlistPage.tsx')).WatchlistPage,
                }),
              },
              {
                path: '/transactions',
                lazy: async () => ({
                  Component: (await import('../features/transactions/TransactionsPage.tsx')).TransactionsPage,
                }),
              },
            ],
          },
          {
            path: '*',
            lazy: async () => ({ Component: (await import('../features/shell/NotFoundPage.tsx')).NotFoundPage }),
          },
        ],
      },
    ],
  },
])
