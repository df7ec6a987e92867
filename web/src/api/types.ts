import type { components } from './schema.gen.ts'

/** Names for the shapes that the services describe; responses carry whole cents, times are ISO 8601 in UTC. */
type Schemas = components['schemas']

export type User = Schemas['User']
export type Category = Schemas['Category']
export type Listing = Schemas['Listing']
export type ListingDetail = Schemas['DetailedListing']
export type Condition = Listing['condition']
/** Amounts in dollars, as every request has them. */
export type NewListing = Schemas['CreateListingInput']
export type PaymentIntent = Schemas['PaymentIntent']
export type PaymentConfig = Schemas['StripeConfig']
export type Transaction = Schemas['ListedTransaction']
export type TransactionType = Transaction['transaction_type']
export type Conversation = Schemas['Conversation']
export type Message = Schemas['Message']
export type Offer = Schemas['Offer']
export type Preferences = Schemas['NotificationPreferences']
