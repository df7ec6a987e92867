import { postgresTrending } from './postgres-trending.ts'
import { trendingConformance } from './trending.conformance.ts'

trendingConformance('in Postgres', async ({ db }) => ({ store: postgresTrending(db), close: () => undefined }))
