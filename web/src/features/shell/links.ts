import { IconMessage2, IconPackage, IconPlus, IconReceipt, type Icon } from '@tabler/icons-react'

type ShellLink = { to: string; text: string; icon: Icon }

export const sellLink: ShellLink = { to: '/create-listing', text: 'Sell', icon: IconPlus }

export const memberLinks: ShellLink[] = [
  { to: '/messages', text: 'Messages', icon: IconMessage2 },
  { to: '/my-listings', text: 'My Listings', icon: IconPackage },
  { to: '/transactions', text: 'Transactions', icon: IconReceipt },
]

export const footerGroups = [
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
      { to: '/messages', text: 'Messages' },
      { to: '/transactions', text: 'Transactions' },
    ],
  },
  {
    heading: 'The small print',
    links: [
      { to: '/privacy', text: 'Privacy Policy' },
      { to: '/terms', text: 'Terms and Conditions' },
    ],
  },
]
