/** Title of a listing whose seller was erased. Services compare titles with it, so it must be the same in all of them. */
export const erasedTitle = 'Erased listing'
