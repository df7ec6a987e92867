import type { Category, Recovery } from '../../../api/client/types.ts'
import { conditionNames, isCondition } from '../../../rules/listing.ts'

type Step = Recovery['steps'][number]

/**
 * A suggestion for a search without results, consisting of a sentence with an optional emphasized part and a link to
 * other listings.
 */
export interface RecoveryLine {
  /** The sentence: the text before the emphasized part, that part, and the text after it. Each can be empty. */
  before: string
  emphasized: string
  after: string
  link: string
  /** The changes that the link makes to the URL parameters. Null removes a parameter. */
  changes: Record<string, string | null>
}

function line(
  sentence: readonly [before: string, emphasized: string, after: string],
  link: string,
  changes: RecoveryLine['changes'],
): RecoveryLine {
  const [before, emphasized, after] = sentence
  return { before, emphasized, after, link, changes }
}

/** Returns the suggestion for a change to the search, such as removing a filter, that produces results. */
export function recoveryLine(step: Step, categories: readonly Category[]): RecoveryLine {
  const { kind, name, value, total } = step
  if (kind === 'category') {
    return line(['', '', ''], `See all ${name} (${total}).`, { ...withoutAll, category: value })
  }
  if (kind === 'word') {
    const results = total === '1' ? 'result' : 'results'
    return line(['', '', ''], `${total} ${results} for “${name}” without “${value}”.`, { search: name })
  }
  return filterLine(step, categories)
}

const withoutAll = Object.fromEntries(
  ['search', 'minPrice', 'maxPrice', 'condition', 'format', 'freeShipping', 'location', 'seller', 'sort'].map(
    (name) => [name, null],
  ),
)

function filterLine({ name, value, total }: Step, categories: readonly Category[]): RecoveryLine {
  switch (name) {
    case 'price':
      return line(['No items at this price match. ', '', ''], `${total} at other prices.`, {
        minPrice: null,
        maxPrice: null,
      })
    case 'condition': {
      const condition = isCondition(value) ? conditionNames[value] : value
      return line(['No ', condition, ' items match. '], `${total} in other conditions.`, { condition: null })
    }
    case 'format':
      return value === 'auction'
        ? line(['No ', 'auctions', ' match. '], `${total} at a fixed price.`, { format: null })
        : line(['No ', 'fixed-price', ' items match. '], `${total} in auctions.`, { format: null })
    case 'freeShipping':
      return line(['No items with ', 'free shipping', ' match. '], `${total} with paid shipping.`, {
        freeShipping: null,
      })
    case 'location':
      return line(['No items in ', value, ' match. '], `${total} in other locations.`, { location: null })
    case 'category': {
      const category = categories.find(({ slug }) => slug === value)?.name ?? value
      return line(['No items in ', category, ' match. '], `${total} in other categories.`, { category: null })
    }
    default:
      return line(['No items of this seller match. ', '', ''], `${total} from other sellers.`, { seller: null })
  }
}
