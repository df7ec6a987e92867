import { describe, expect, it } from 'vitest'
import type { Importance } from '../routing/route.ts'
import { refuseUnderPressure } from './pressure.ts'

const kinds: readonly Importance[] = ['browsing', 'usual', 'money']

describe('a busy gateway', () => {
  it.each([
    [0, ['browsing', 'usual', 'money']],
    [300, ['usual', 'money']],
    [2000, ['money']],
  ])('that is %i ms late takes %j', (delay, expected) => {
    const refuse = refuseUnderPressure(250, () => delay)
    const taken = kinds.filter((kind) => {
      try {
        refuse(kind)
        return true
      } catch {
        return false
      }
    })
    expect(taken).toEqual(expected)
  })
})
