import {
  IconFileText,
  IconGavel,
  IconHeart,
  IconLock,
  IconLogin2,
  IconMessage2,
  IconPackage,
  IconPlus,
  IconReceipt,
  IconTag,
  type Icon,
} from '@tabler/icons-react'

export interface LayoutLink {
  to: string
  text: string
  icon: Icon
}

export const sellLink: LayoutLink = { to: '/create-listing', text: 'Sell', icon: IconPlus }

export const signInLink: LayoutLink = { to: '/sign-in', text: 'Sign In', icon: IconLogin2 }

export const termsLinks: LayoutLink[] = [
  { to: '/terms', text: 'Terms', icon: IconFileText },
  { to: '/privacy', text: 'Privacy', icon: IconLock },
]

export const offersLink: LayoutLink = { to: '/offers', text: 'Offers', icon: IconTag }

export const memberLinks: LayoutLink[] = [
  { to: '/messages', text: 'Messages', icon: IconMessage2 },
  { to: '/my-listings', text: 'My Listings', icon: IconPackage },
  { to: '/my-bids', text: 'My Bids', icon: IconGavel },
  offersLink,
  { to: '/watchlist', text: 'Favorites', icon: IconHeart },
  { to: '/transactions', text: 'Transactions', icon: IconReceipt },
]

export interface FooterGroup {
  heading: string
  links: { to: string; text: string }[]
}

export const footerGroups: FooterGroup[] = [
  {
    heading: 'Shop',
    links: [
      { to: '/', text: 'Marketplace' },
      { to: '/create-listing', text: 'Sell Item' },
      { to: '/my-listings', text: 'My Listings' },
    ],
  },
  {
    heading: 'Your account',
    links: [
      { to: '/watchlist', text: 'Watchlist' },
      { to: '/messages', text: 'Messages' },
      { to: '/transactions', text: 'Transactions' },
      { to: '/notification-preferences', text: 'Notifications' },
    ],
  },
  {
    heading: 'Legal',
    links: [
      { to: '/privacy', text: 'Privacy Policy' },
      { to: '/terms', text: 'Terms and Conditions' },
    ],
  },
]

export const memberFooterGroup: FooterGroup = {
  heading: 'Security',
  links: [
    { to: '/sessions', text: 'Sessions' },
    { to: '/blocked-members', text: 'Blocked members' },
  ],
}
