import { describe, expect, it } from 'vitest'
import type { Priority } from '../routing/route.ts'
import { createLoadShedder } from './load-shedding.ts'

const priorities: readonly Priority[] = ['low', 'normal', 'critical']

describe('load shedding', () => {
  it.each([
    [0, ['low', 'normal', 'critical']],
    [300, ['normal', 'critical']],
    [2000, ['critical']],
  ])('with an event loop delay of %i ms accepts %j', (delay, expected) => {
    const shedLoad = createLoadShedder(250, () => delay)
    const accepted = priorities.filter((priority) => {
      try {
        shedLoad(priority)
        return true
      } catch {
        return false
      }
    })
    expect(accepted).toEqual(expected)
  })
})
