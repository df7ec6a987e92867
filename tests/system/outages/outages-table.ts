import type { ProgramName } from '@marketplace/stack/launcher/topology.ts'
import type { Feature } from './outages-features.ts'

export interface Outage {
  title: string
  program: ProgramName
  /** The features that respond 503 meanwhile; all others work. */
  dead: readonly Feature[]
}

/** For each service, the features that fail when it is down. */
export const outages: readonly Outage[] = [
  {
    title: 'search',
    program: 'search',
    dead: ['the list of listings', 'a search', 'suggestions', 'trending searches', 'one’s searches'],
  },
  {
    title: 'auction',
    program: 'auction',
    dead: ['a bid', 'an auction’s bids', 'listing an auction', 'buying an auction at once'],
  },
  {
    title: 'users',
    program: 'users',
    dead: ['who one is', 'one’s preferences', 'the way to the sign-in page', 'signing out'],
  },
  {
    title: 'payments',
    program: 'payments',
    dead: [
      'buying at a fixed price',
      'buying an auction at once',
      'paying a win',
      'confirming a payment',
      'leaving a checkout',
      'the transactions',
      'what the card form needs',
    ],
  },
  {
    title: 'messaging',
    program: 'messaging',
    dead: ['a first message', 'a message', 'the conversations', 'a conversation', 'marking it read', 'the help chat'],
  },
  {
    title: 'catalog',
    program: 'catalog',
    dead: [
      'the categories',
      'reading a listing',
      'reading an auction',
      'listing at a fixed price',
      'listing an auction',
      'one’s own listings',
      'an offer',
      'the offers',
      'accepting an offer',
      'the watchlist',
      'watching a listing',
      'buying at a fixed price',
      'a first message',
    ],
  },
  {
    title: 'the card network',
    program: 'cards',
    dead: ['buying at a fixed price', 'buying an auction at once', 'paying a win', 'confirming a payment'],
  },
  { title: 'the identity provider', program: 'identity', dead: [] },
]
