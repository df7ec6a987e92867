import type { components } from '../schema.gen.ts'

/** Short names for the API's types. Responses contain amounts in cents and times in ISO 8601 (UTC). */
type Schemas = components['schemas']

export type User = Schemas['User']
export type Recovery = Schemas['Recovery']
export type Category = Schemas['Category']
export type Listing = Schemas['Listing']
/** The files and dimensions of an uploaded picture. */
export interface PictureFacts {
  base: string
  widths: number[]
  formats: ('avif' | 'webp' | 'jpeg')[]
  width: number
  height: number
  /** A tiny placeholder image (https://evanw.github.io/thumbhash/), encoded in base64. */
  thumbhash: string
}
/** The URL and the presigned form fields with which one picture is uploaded. */
export type UploadForm = Schemas['AnnouncedPicture']
/** An uploaded picture, which might not be processed yet. */
export type UploadState = Schemas['Picture']
/** A listing in a list of listings. */
export type CardListing = Schemas['ListingCard']
/** The fields that CardListing and ListingDetail have in common. */
export type ListingSummary = Omit<CardListing, 'picture' | 'picture_facts' | 'picture_count' | 'match'>
export type ListingDetail = Schemas['DetailedListing']
export type Condition = Listing['condition']
export type ListingStatus = Listing['status']
/** Request body for editing a listing: only the changed fields. */
export type ListingEdit = Schemas['EditListingInput']
/** A draft of a listing that the server stores. */
export type StoredDraft = Schemas['Draft']
/** Request body for creating a listing. Amounts are in dollars, as in every request. */
export type NewListing = Schemas['CreateListingInput']
export type PaymentIntent = Schemas['PaymentIntent']
export type PaymentConfig = Schemas['StripeConfig']
/**
 * Transaction fields that may be missing during a deployment, while the previous version of the payments service still
 * responds.
 */
type NewTransactionFields = 'refunded_amount' | 'is_disputed' | 'is_refund_delayed' | 'shipping_cost' | 'total'
export type Transaction = Omit<Schemas['ListedTransaction'], NewTransactionFields> &
  Partial<Pick<Schemas['ListedTransaction'], NewTransactionFields>>
export type TransactionType = Transaction['transaction_type']
export type Conversation = Schemas['Conversation']
export type Message = Schemas['Message']
/** Fields of offers in lists. The previous version of the catalog service does not send them. */
type ListedOfferFields = 'listing_image_url' | 'other_user_name'
export type Offer = Schemas['Offer'] & Partial<Pick<Schemas['ListedOffer'], ListedOfferFields>>
/** An auction with the user's bid status in it. */
export type Auction = Schemas['Auction']
/** An auction in which the user has bid. */
export type OwnBids = Schemas['OwnBids']
/** One line of an auction's bid history. */
export type BidLine = Pick<Schemas['AuctionBid'], 'id' | 'amount' | 'created_at' | 'bidder'>
export type Session = Schemas['Session']
/** A member whom the user has blocked. */
export type BlockedMember = Schemas['BlockedMember']
export type MemberProfile = Schemas['MemberProfile']
export type ReplyTime = Schemas['ReplyTime']['reply_time']
export type Preferences = Schemas['NotificationPreferences']
