import { useId } from 'react'
import { useSearchParams } from 'react-router-dom'
import { conditionNames } from '../../../rules/listing.ts'
import { VisuallyHidden } from '../../../ui/controls/VisuallyHidden.tsx'
import { useChangeParams } from './use-change-params.ts'
import classes from './FilterForm.module.css'

/** The filter by condition. `counts` maps conditions to numbers of listings and can be incomplete. */
export function ConditionChoice({ counts }: { counts: ReadonlyMap<string, number> }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const id = useId()
  const chosen = params.get('condition') ?? ''
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Condition</legend>
      <div className={classes.choices}>
        {[['', 'Any'] as const, ...Object.entries(conditionNames)].map(([value, label]) => {
          const count = counts.get(value)
          return (
            <div key={value} className={classes.option}>
              <label className={classes.choice}>
                <input
                  type="radio"
                  name="condition"
                  value={value}
                  checked={value === chosen}
                  aria-describedby={count === undefined ? undefined : `${id}-${value}`}
                  onChange={() => change({ condition: value })}
                />
                <span>{label}</span>
              </label>
              {count !== undefined && (
                <span id={`${id}-${value}`} className={classes.count}>
                  {count.toLocaleString('en-US')}
                  <VisuallyHidden> {count === 1 ? 'item' : 'items'}</VisuallyHidden>
                </span>
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
