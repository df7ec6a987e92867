import { expect, it } from 'vitest'
import { ofNewMembers } from './seed.ts'

const needs = { people: 120, listings: 0, auctions: 999, endsInMs: 60_000 }

it('gives each seller at most the 10 listings that a new member may list a day, and keeps the number of buyers', () => {
  expect(ofNewMembers(needs)).toEqual({ ...needs, people: 200, sellers: 100 })
})

it('keeps 20 sellers of a few listings', () => {
  expect(ofNewMembers({ ...needs, auctions: 60 })).toEqual({ ...needs, auctions: 60, sellers: 20 })
})
