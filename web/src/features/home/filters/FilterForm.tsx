import { useState, type SubmitEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { conditionNames } from '../../../rules/listing.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { MoneyInput } from '../../../ui/inputs/MoneyInput.tsx'
import { readFilters, readPrice } from './filters.ts'
import { useChangeParams } from './use-change-params.ts'
import classes from './FilterForm.module.css'

const problem = 'Enter a price from $0 to $9,999,999.99.'

const conditions = [['', 'Any'], ...Object.entries(conditionNames)]

function ConditionChoice() {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const chosen = params.get('condition') ?? ''
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Condition</legend>
      <div className={classes.choices}>
        {conditions.map(([value, name]) => (
          <label key={value} className={classes.choice}>
            <input
              type="radio"
              name="condition"
              value={value}
              checked={value === chosen}
              onChange={() => change({ condition: value ?? null })}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type PriceField = 'minPrice' | 'maxPrice'

function priceInput(form: HTMLFormElement, name: PriceField): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`[name="${name}"]`)
}

/**
 * Returns the value of a price field for the URL: an amount in dollars, or empty if the field is empty. Returns null if the
 * field has no valid price.
 */
function readAmount(form: HTMLFormElement, name: PriceField): string | null {
  const typed = priceInput(form, name)
  // `badInput` is true if the text in a number field is not a number. The value of the field is then empty.
  if (typed === null || typed.validity.badInput) return null
  return typed.value === '' ? '' : readPrice(typed.value)
}

export function FilterForm({ onApplied }: { onApplied?: () => void }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const [invalidField, setInvalidField] = useState<PriceField | null>(null)
  const { minPrice = '', maxPrice = '' } = readFilters(params)

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const [min, max] = [readAmount(form, 'minPrice'), readAmount(form, 'maxPrice')]
    if (min === null || max === null) {
      const first = min === null ? 'minPrice' : 'maxPrice'
      setInvalidField(first)
      priceInput(form, first)?.focus()
      return
    }
    setInvalidField(null)
    change({ minPrice: min, maxPrice: max })
    onApplied?.()
  }

  return (
    <form key={`${minPrice} ${maxPrice}`} noValidate className={classes.form} onSubmit={apply}>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Price</legend>
        <div className={classes.prices}>
          <MoneyInput
            name="minPrice"
            label="Min price"
            min="0"
            defaultValue={minPrice}
            placeholder="0"
            error={invalidField === 'minPrice' && problem}
          />
          <MoneyInput
            name="maxPrice"
            label="Max price"
            min="0"
            defaultValue={maxPrice}
            placeholder="Any"
            error={invalidField === 'maxPrice' && problem}
          />
        </div>
      </fieldset>
      <ConditionChoice />
      <div className={classes.buttons}>
        <Button type="submit">Apply</Button>
        <Button variant="subtle" onClick={() => change({ minPrice: null, maxPrice: null, condition: null })}>
          Clear
        </Button>
      </div>
    </form>
  )
}
