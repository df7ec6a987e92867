import { setTimeout } from 'node:timers/promises'

/** Rounds per race test: 30 by default, more with RACE_ROUNDS. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 30)

/** Runs the rounds of a race one after the other. Only the requests within a round are concurrent. */
export async function runRounds(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < raceRounds; index += 1) await round(index)
}

/**
 * Returns a function that starts a request of the round after 0 to 12 ms. The delays differ between rounds and between
 * requests. Without them, a call to a handler in this process would always precede an HTTP request.
 */
export function staggered(round: number): <Result>(request: () => Promise<Result>) => Promise<Result> {
  let started = 0
  return async (request) => {
    const delayMs = (round * 5 + started * 3) % 13
    started += 1
    await setTimeout(delayMs)
    return request()
  }
}
