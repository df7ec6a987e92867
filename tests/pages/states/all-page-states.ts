import type { PageState } from '../../support/fixtures/page-state.ts'
import { accountStates } from './account.states.ts'
import { biddingStates } from './bidding.states.ts'
import { dialogStates } from './dialog.states.ts'
import { draftStates } from './draft.states.ts'
import { homeStates } from './home.states.ts'
import { listingStates } from './listing.states.ts'
import { unusualListingStates } from './unusual-listings.states.ts'
import { sellerStates } from './seller.states.ts'
import { sellingStates } from './selling.states.ts'
import { shellStates } from './shell.states.ts'

/** Every state of every page. */
export const allPageStates: readonly PageState[] = [
  ...homeStates,
  ...listingStates,
  ...biddingStates,
  ...dialogStates,
  ...unusualListingStates,
  ...sellingStates,
  ...draftStates,
  ...accountStates,
  ...sellerStates,
  ...shellStates,
]
