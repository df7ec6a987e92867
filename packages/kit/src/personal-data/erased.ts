/** Replaces the title of a listing whose seller was erased. Services compare titles, so all must use the same text. */
export const erasedTitle = 'Erased listing'
