import { conflict, forbidden, type DomainError } from '@marketplace/kit/errors/problem.ts'

export const listingChangedMessage = 'The seller changed this listing. Review it before you buy.'

export function notOwner(): DomainError {
  return forbidden('not_owner', 'Only the seller can change this listing.')
}

/** Error 409 for a request that refers to an outdated version of the listing. */
export function listingChangedError(message = listingChangedMessage): DomainError {
  return conflict('listing_changed', message)
}

export function reservedError(): DomainError {
  return conflict('reserved', 'A buyer is paying for this item. Try again when it is available.')
}

export function soldError(): DomainError {
  return conflict('sold', 'This item has been sold.')
}

export function wrongKindError(): DomainError {
  return conflict('wrong_kind', 'An auction cannot be changed.')
}
