/** Rounds per race test: 30 by default, more with RACE_ROUNDS. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 30)
