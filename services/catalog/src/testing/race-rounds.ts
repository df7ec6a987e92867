/** Rounds per race test: 30 by default, more with RACE_ROUNDS. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 30)

/** Runs the rounds of a race one after the other. Only the requests within a round are concurrent. */
export async function runRounds(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < raceRounds; index += 1) await round(index)
}
