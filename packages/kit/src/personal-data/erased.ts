/**
 * Title of a listing whose seller was erased. Services compare titles with this text, so it must be the same in all
 * services.
 */
export const erasedTitle = 'Erased listing'
