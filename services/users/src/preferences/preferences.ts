export interface Preferences {
  deals: boolean
  offers: boolean
}

/** What counts until a person chooses. */
export const noPreferences: Preferences = { deals: false, offers: false }
