import { useState, type SubmitEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { maxTermLength } from '../../../rules/text.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { ConditionChoice } from './ConditionChoice.tsx'
import { panelParameters, readFilters, readPrice } from './filters.ts'
import { FormatSelect } from './FormatSelect.tsx'
import { FreeShipping } from './FreeShipping.tsx'
import { useChangeParams } from './use-change-params.ts'
import { useFacets } from './use-facets.ts'
import classes from './FilterForm.module.css'

const problem = 'Enter a price from $0 to $9,999,999.99.'

type PriceField = 'minPrice' | 'maxPrice'

function input(form: HTMLFormElement, name: PriceField | 'location'): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`)
}

/**
 * Reads a price field. Returns the amount in dollars, an empty string if the field is empty, or null if it contains no
 * valid price.
 */
function readAmount(form: HTMLFormElement, name: PriceField): string | null {
  const typed = input(form, name)
  // For text that is not a number, browsers report an empty value. `badInput` distinguishes it from an empty field.
  if (typed === null || typed.validity.badInput) return null
  return typed.value === '' ? '' : readPrice(typed.value)
}

function Prices({ filters, invalid }: { filters: { minPrice: string; maxPrice: string }; invalid: PriceField | null }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Price</legend>
      <div className={classes.prices}>
        <MoneyInput
          name="minPrice"
          label="Min price"
          min="0"
          defaultValue={filters.minPrice}
          placeholder="0"
          error={invalid === 'minPrice' && problem}
        />
        <MoneyInput
          name="maxPrice"
          label="Max price"
          min="0"
          defaultValue={filters.maxPrice}
          placeholder="Any"
          error={invalid === 'maxPrice' && problem}
        />
      </div>
    </fieldset>
  )
}

export function FilterForm({ onApplied }: { onApplied?: () => void }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const [invalidField, setInvalidField] = useState<PriceField | null>(null)
  const [clearCount, setClearCount] = useState(0)
  const filters = readFilters(params)
  const { minPrice = '', maxPrice = '', location = '' } = filters
  const facets = useFacets(filters)
  // A new key replaces the fields, which then show the values of the URL instead of the typed ones.
  const fieldsKey = `${clearCount} ${minPrice} ${maxPrice} ${location}`

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const [min, max] = [readAmount(form, 'minPrice'), readAmount(form, 'maxPrice')]
    if (min === null || max === null) {
      const first = min === null ? 'minPrice' : 'maxPrice'
      setInvalidField(first)
      input(form, first)?.focus()
      return
    }
    setInvalidField(null)
    change({ minPrice: min, maxPrice: max, location: input(form, 'location')?.value.trim() ?? location })
    onApplied?.()
  }

  function clear() {
    setInvalidField(null)
    setClearCount(clearCount + 1)
    change(Object.fromEntries(panelParameters.map((name) => [name, null])))
  }

  return (
    <form noValidate className={classes.form} onSubmit={apply}>
      <Prices key={`prices ${fieldsKey}`} filters={{ minPrice, maxPrice }} invalid={invalidField} />
      <ConditionChoice counts={facets.condition} />
      {(facets.hasMoreFilters || filters.format !== undefined) && <FormatSelect counts={facets.format} />}
      {(facets.hasMoreFilters || filters.freeShipping !== undefined) && <FreeShipping count={facets.freeShipping} />}
      {(facets.hasMoreFilters || location !== '') && (
        <TextInput
          key={`location ${fieldsKey}`}
          name="location"
          label="Location"
          placeholder="City or state"
          defaultValue={location}
          maxLength={maxTermLength}
          autoComplete="off"
        />
      )}
      <div className={classes.buttons}>
        <Button type="submit">Apply</Button>
        <Button variant="subtle" onClick={clear}>
          Clear
        </Button>
      </div>
    </form>
  )
}
