/** How often a race is run: a short form for every day, more with RACE_ROUNDS. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 30)

/** A race's rounds, one after the other: the rivals of a round are what runs at once. */
export async function runRounds(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < raceRounds; index += 1) await round(index)
}
