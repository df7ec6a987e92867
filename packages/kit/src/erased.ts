/** What stands in the place of a title whose seller was erased: the same in every service, since they are compared. */
export const erasedTitle = 'Erased listing'
