// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { clearViewedIds, readViewedIds, storeViewedId } from './recently-viewed.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

it('SELLR-08 keeps the last 20 different listings, the latest first', () => {
  for (let index = 0; index < 25; index += 1) storeViewedId(`listing ${index}`)
  storeViewedId('listing 10')
  expect(readViewedIds()).toHaveLength(20)
  expect(readViewedIds().slice(0, 3)).toEqual(['listing 10', 'listing 24', 'listing 23'])
  clearViewedIds()
  expect(readViewedIds()).toEqual([])
})

it.each(['', '{', '7', '{"a":1}', 'null'])('SELLR-08 ignores the unreadable value %s', (value) => {
  localStorage.setItem('recently-viewed', value)
  expect(readViewedIds()).toEqual([])
  storeViewedId('a')
  expect(readViewedIds()).toEqual(['a'])
})

it('SELLR-08 works without storage', () => {
  const fail = () => {
    throw new Error('Storage is disabled.')
  }
  vi.stubGlobal('localStorage', { getItem: fail, setItem: fail, removeItem: fail })
  storeViewedId('a')
  clearViewedIds()
  expect(readViewedIds()).toEqual([])
})
