import { expect, it } from 'vitest'
import { isWithin } from './run-k6.ts'

const slowdown = { before: 'alone', after: 'attacked', most: 2 }

function summary(alone: number, attacked: number): string {
  return JSON.stringify({ metrics: { alone: { 'p(95)': alone }, attacked: { 'p(95)': attacked } } })
}

it('accepts a p95 up to the given multiple of the other, and no more', () => {
  expect([isWithin(slowdown, summary(10, 20)), isWithin(slowdown, summary(10, 20.1))]).toEqual([true, false])
})

it('rejects a summary without the trends', () => {
  expect(() => isWithin(slowdown, '{"metrics":{}}')).toThrow('k6 reported no alone')
})
