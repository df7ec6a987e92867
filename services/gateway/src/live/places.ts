import { DomainError, unavailable } from '@marketplace/kit/problem.ts'

export interface PlaceLimits {
  perProcess: number
  perNetwork: number
}

/** Takes a place for a stream that stays open; what it answers gives the place back. */
export type TakePlace = (network: string) => () => void

/** Bounds the streams of this process, and those of one network among them. */
export function places({ perProcess, perNetwork }: PlaceLimits): TakePlace {
  const taken = new Map<string, number>()
  let total = 0
  const add = (network: string, change: 1 | -1) => {
    const count = (taken.get(network) ?? 0) + change
    total += change
    if (count === 0) taken.delete(network)
    else taken.set(network, count)
  }
  return (network) => {
    if (total >= perProcess) throw unavailable('The live view')
    if ((taken.get(network) ?? 0) >= perNetwork)
      throw new DomainError('limited', 'too_many_streams', 'Too many auctions are being watched from this address.')
    add(network, 1)
    let isTaken = true
    return () => {
      if (isTaken) add(network, -1)
      isTaken = false
    }
  }
}
