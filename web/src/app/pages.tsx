import { lazy } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { PageLayout } from '../features/layout/PageLayout.tsx'
import { RequireSignIn } from '../session/RequireSignIn.tsx'
import { PageBoundary } from './PageBoundary.tsx'

const HomePage = lazy(async () => ({ default: (await import('../features/home/HomePage.tsx')).HomePage }))
const ListingPage = lazy(async () => ({ default: (await import('../features/listing/ListingPage.tsx')).ListingPage }))
const SignInPage = lazy(async () => ({ default: (await import('../features/auth/SignInPage.tsx')).SignInPage }))
const CallbackPage = lazy(async () => ({ default: (await import('../features/auth/CallbackPage.tsx')).CallbackPage }))
const TermsPage = lazy(async () => ({ default: (await import('../features/legal/TermsPage.tsx')).TermsPage }))
const PrivacyPage = lazy(async () => ({ default: (await import('../features/legal/PrivacyPage.tsx')).PrivacyPage }))
const PreferencesPage = lazy(async () => ({
  default: (await import('../features/preferences/PreferencesPage.tsx')).PreferencesPage,
}))
const CreateListingPage = lazy(async () => ({
  default: (await import('../features/create-listing/CreateListingPage.tsx')).CreateListingPage,
}))
const EditListingPage = lazy(async () => ({
  default: (await import('../features/create-listing/edit/EditListingPage.tsx')).EditListingPage,
}))
const MyListingsPage = lazy(async () => ({
  default: (await import('../features/my-listings/MyListingsPage.tsx')).MyListingsPage,
}))
const MyBidsPage = lazy(async () => ({ default: (await import('../features/my-bids/MyBidsPage.tsx')).MyBidsPage }))
const OffersPage = lazy(async () => ({ default: (await import('../features/offers/OffersPage.tsx')).OffersPage }))
const MessagesPage = lazy(async () => ({
  default: (await import('../features/messages/MessagesPage.tsx')).MessagesPage,
}))
const WatchlistPage = lazy(async () => ({
  default: (await import('../features/watchlist/WatchlistPage.tsx')).WatchlistPage,
}))
const TransactionsPage = lazy(async () => ({
  default: (await import('../features/transactions/TransactionsPage.tsx')).TransactionsPage,
}))
const SessionsPage = lazy(async () => ({
  default: (await import('../features/sessions/SessionsPage.tsx')).SessionsPage,
}))
const BlockedMembersPage = lazy(async () => ({
  default: (await import('../features/blocked-members/BlockedMembersPage.tsx')).BlockedMembersPage,
}))
const SellerPage = lazy(async () => ({ default: (await import('../features/seller/SellerPage.tsx')).SellerPage }))
const NotFoundPage = lazy(async () => ({ default: (await import('../features/layout/NotFoundPage.tsx')).NotFoundPage }))

function GuardedOutlet() {
  return (
    <PageBoundary>
      <Outlet />
    </PageBoundary>
  )
}

/** All routes of the application. Must match web/server/pages.ts. */
export function Pages() {
  return (
    <Routes>
      <Route element={<PageLayout />}>
        <Route element={<GuardedOutlet />}>
          <Route path="/" element={<HomePage />} />
          <Route path="/listing/:id" element={<ListingPage />} />
          <Route path="/sellers/:id" element={<SellerPage />} />
          <Route path="/sign-in" element={<SignInPage />} />
          <Route path="/auth/callback" element={<CallbackPage />} />
          <Route path="/terms" element={<TermsPage />} />
          <Route path="/privacy" element={<PrivacyPage />} />
          <Route path="/notification-preferences" element={<PreferencesPage />} />
          <Route element={<RequireSignIn showWhilePending />}>
            <Route path="/create-listing" element={<CreateListingPage />} />
          </Route>
          <Route element={<RequireSignIn />}>
            <Route path="/my-listings" element={<MyListingsPage />} />
            <Route path="/listing/:id/edit" element={<EditListingPage />} />
            <Route path="/my-bids" element={<MyBidsPage />} />
            <Route path="/offers" element={<OffersPage />} />
            <Route path="/messages" element={<MessagesPage />} />
            <Route path="/watchlist" element={<WatchlistPage />} />
            <Route path="/transactions" element={<TransactionsPage />} />
            <Route path="/sessions" element={<SessionsPage />} />
            <Route path="/blocked-members" element={<BlockedMembersPage />} />
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
    </Routes>
  )
}
