import type { Scene } from '../src/scene.ts'
import { accountScenes } from './account.scenes.ts'
import { dialogScenes } from './dialog.scenes.ts'
import { homeScenes } from './home.scenes.ts'
import { listingScenes } from './listing.scenes.ts'
import { oddityScenes } from './oddities.scenes.ts'
import { sellingScenes } from './selling.scenes.ts'
import { shellScenes } from './shell.scenes.ts'

/** Every page in every state. */
export const allScenes: readonly Scene[] = [
  ...homeScenes,
  ...listingScenes,
  ...dialogScenes,
  ...oddityScenes,
  ...sellingScenes,
  ...accountScenes,
  ...shellScenes,
]
