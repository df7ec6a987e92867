export interface Preferences {
  deals: boolean
  offers: boolean
}

/** Used until the user saves preferences. */
export const defaultPreferences: Preferences = { deals: false, offers: false }
