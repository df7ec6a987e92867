/** How often a race is run: a short form for every day, more with RACE_ROUNDS. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 30)
