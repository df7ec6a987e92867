// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it } from 'vitest'
import { emptyCard } from '../../rules/empty-listing.fixture.ts'
import { ListingCard } from './ListingCard.tsx'

const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const auction = { ...emptyCard, is_auction: true, starting_bid: 1_000 }

afterEach(cleanup)

it.each([
  ['starting bid', '$10.00', { auction_end_date: inMs(hourMs) }],
  ['current bid', '$40.00', { auction_end_date: inMs(hourMs), current_bid: 4_000 }],
  ['winning bid', '$40.00', { auction_end_date: inMs(-hourMs), current_bid: 4_000 }],
  ['highest bid', '$40.00', { auction_end_date: inMs(-hourMs), current_bid: 4_000, status: 'ended' as const }],
])('LIST-26 the card of an auction shows its %s', (name, price, changes) => {
  render(<ListingCard listing={{ ...auction, ...changes }} />, { wrapper: MemoryRouter })
  expect(screen.getByText(name).parentElement?.textContent).toBe(`${price}${name}`)
})

const sale = { ...emptyCard, price: 6_700, is_on_sale: true, original_price: 10_000 }

it.each([
  ['is for sale', '-33%', sale, undefined],
  ['is reserved', 'Reserved-33%', { ...sale, status: 'reserved' as const }, undefined],
  ['has a badge of the page', 'Unavailable-33%', sale, 'Unavailable'],
])('HOME-11 the card of a sale item that %s shows %s', (_, badges, listing, badge) => {
  render(<ListingCard listing={listing} badge={badge} />, { wrapper: MemoryRouter })
  expect(screen.getByText('-33%').parentElement?.textContent).toBe(badges)
})

it('HOME-11 the card of an auction shows no discount', () => {
  render(<ListingCard listing={{ ...sale, is_auction: true, starting_bid: 6_700 }} />, { wrapper: MemoryRouter })
  expect(screen.queryByText('-33%')).toBeNull()
})
