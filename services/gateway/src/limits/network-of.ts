import { isIPv6 } from 'node:net'

/**
 * Returns the rate-limit key of an address: the IPv4 address, or the /64 network of an IPv6 address, because a client
 * usually has a whole /64 network.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%')
  const mapped = /^::ffff:(?<v4>[\d.]+)$/i.exec(bare)?.groups?.['v4']
  if (mapped !== undefined) return mapped
  return isIPv6(bare) ? `${groupsOf(bare).slice(0, 4).join(':')}::/64` : bare
}

// Returns the eight groups of an IPv6 address, with `::` expanded to groups of zeros.
function groupsOf(address: string): string[] {
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}
