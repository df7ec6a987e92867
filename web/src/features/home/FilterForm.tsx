import { Button } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { fieldText } from '../../rules/form.ts'
import { conditionNames } from '../../rules/listing.ts'
import { MoneyInput } from '../../ui/MoneyInput.tsx'
import { readFilters, readPrice } from './filters.ts'
import { useChangeParams } from './use-change-params.ts'
import classes from './FilterForm.module.css'

const problem = 'Prices are amounts of 0 or more, up to 9,999,999.99.'

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

/** Dollars as the address carries them: empty stays empty, null is not an amount. */
function readAmount(form: FormData, name: string): string | null {
  const typed = fieldText(form, name)
  return typed === '' ? '' : readPrice(typed)
}

export function FilterForm({ onApplied }: { onApplied?: () => void }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const [wrong, setWrong] = useState<'minPrice' | 'maxPrice' | null>(null)
  const { minPrice = '', maxPrice = '' } = readFilters(params)

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [min, max] = [readAmount(form, 'minPrice'), readAmount(form, 'maxPrice')]
    if (min === null || max === null) {
      const first = min === null ? 'minPrice' : 'maxPrice'
      setWrong(first)
      event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    setWrong(null)
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
            error={wrong === 'minPrice' && problem}
          />
          <MoneyInput
            name="maxPrice"
            label="Max price"
            min="0"
            defaultValue={maxPrice}
            placeholder="Any"
            error={wrong === 'maxPrice' && problem}
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
