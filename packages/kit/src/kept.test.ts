import { Code, ConnectError } from '@connectrpc/connect'
import { expect, it } from 'vitest'
import { keptAnswers } from './kept.ts'

function asking(keepMs: number, max: number) {
  const asks: string[][] = []
  const answers = keptAnswers({
    keepMs,
    max,
    ask: async (ids) => {
      asks.push([...ids])
      if (ids.includes('down')) throw new ConnectError('away', Code.Unavailable)
      if (ids.includes('bug')) throw new TypeError('a bug')
      return new Map(ids.filter((id) => id !== 'nobody').map((id) => [id, id.toUpperCase()]))
    },
  })
  return { asks, answers }
}

it('asks once for an id, and only for those it does not know', async () => {
  const { asks, answers } = asking(60_000, 10)
  expect(await answers.get(['a', 'b', 'a'])).toEqual(
    new Map([
      ['a', 'A'],
      ['b', 'B'],
    ]),
  )
  expect(await answers.get(['b', 'c'])).toEqual(
    new Map([
      ['b', 'B'],
      ['c', 'C'],
    ]),
  )
  expect(await answers.get([])).toEqual(new Map())
  expect(asks).toEqual([['a', 'b'], ['c']])
})

it('answers what it has while nobody answers', async () => {
  const { answers } = asking(60_000, 10)
  await answers.get(['a'])
  expect(await answers.get(['a', 'down'])).toEqual(new Map([['a', 'A']]))
  expect(await answers.get(['nobody'])).toEqual(new Map())
})

it('does not hide a bug', async () => {
  await expect(asking(60_000, 10).answers.get(['bug'])).rejects.toThrow('a bug')
})

it('forgets the oldest answer above its limit, and asks 100 ids at a time', async () => {
  const { asks, answers } = asking(60_000, 2)
  const ids = Array.from({ length: 150 }, (_, index) => `id-${index}`)
  expect((await answers.get(ids)).size).toBe(150)
  expect(asks.map((ask) => ask.length)).toEqual([100, 50])
  await answers.get(['id-149', 'id-148', 'id-0'])
  expect(asks.at(-1)).toEqual(['id-0'])
})

it('asks again once the time is over', async () => {
  const { asks, answers } = asking(1, 10)
  await expect.poll(async () => (await answers.get(['a'])) && asks.length).toBeGreaterThan(1)
})
