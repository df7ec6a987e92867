import type { MemberProfile, ReplyTime } from '../../api/client/types.ts'

const replyTexts: Record<NonNullable<ReplyTime>, string> = {
  hour: 'Usually replies within an hour',
  hours: 'Usually replies within a few hours',
  day: 'Usually replies within a day',
  days: 'Usually replies within a few days',
}

/** Returns "Member since March 2026" for the month "2026-03". */
export function memberSinceText(month: string): string {
  const text = new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `Member since ${text}`
}

interface Facts {
  profile: Pick<MemberProfile, 'member_since' | 'sales'> | undefined
  replyTime: ReplyTime | undefined
  /** Number of active listings, for example "12" or "10000+". */
  listingCount: string | null | undefined
}

/** Returns one line for each known fact about a member. */
export function memberLines({ profile, replyTime, listingCount }: Facts): string[] {
  return [
    ...(profile === undefined ? [] : [memberSinceText(profile.member_since)]),
    ...(listingCount === null || listingCount === undefined ? [] : [countOf(listingCount, 'active listing')]),
    ...(profile === undefined ? [] : [countOf(String(profile.sales), 'completed sale')]),
    ...(replyTime === null || replyTime === undefined ? [] : [replyTexts[replyTime]]),
  ]
}

function countOf(count: string, noun: string): string {
  return `${count} ${count === '1' ? noun : `${noun}s`}`
}
