import { describe, expect, it } from 'vitest'
import { Door } from './bus-kafka-door.ts'

describe('a door', () => {
  // Red when `close` replaces what is waited for: a reader that was frozen kept its parts and read nothing, for ever.
  it('opens for those who wait, however often the group began to deal its parts', async () => {
    const door = new Door()
    door.close()
    const first = door.opened
    door.close()
    door.open()
    await first
    door.close()
    const second = door.opened
    door.close()
    door.close()
    door.open()
    await second
    expect(second).not.toBe(first)
  })

  it('that closes again is another opening than the one that was', async () => {
    const door = new Door()
    door.open()
    const before = door.opened
    expect(door.opened).toBe(before)
    door.close()
    expect(door.opened).not.toBe(before)
  })
})
