export interface Preferences {
  deals: boolean
  offers: boolean
}

/** Used until the user saves a choice. */
export const defaultPreferences: Preferences = { deals: false, offers: false }
