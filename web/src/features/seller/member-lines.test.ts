import { expect, it } from 'vitest'
import { memberLines } from './member-lines.ts'

const profile = { member_since: '2026-03', sales: 48 }

it('SELLR-04 has a line for each known fact', () => {
  expect(memberLines({ profile, replyTime: 'hour', listingCount: '12' })).toEqual([
    'Member since March 2026',
    '12 active listings',
    '48 completed sales',
    'Usually replies within an hour',
  ])
  expect(memberLines({ profile: { ...profile, sales: 1 }, replyTime: 'days', listingCount: '1' })).toEqual([
    'Member since March 2026',
    '1 active listing',
    '1 completed sale',
    'Usually replies within a few days',
  ])
})

it('SELLR-04 omits each line without a response', () => {
  expect(memberLines({ profile: undefined, replyTime: undefined, listingCount: undefined })).toEqual([])
  expect(memberLines({ profile, replyTime: null, listingCount: null })).toEqual([
    'Member since March 2026',
    '48 completed sales',
  ])
  expect(memberLines({ profile: undefined, replyTime: 'hours', listingCount: '10000+' })).toEqual([
    '10000+ active listings',
    'Usually replies within a few hours',
  ])
})
