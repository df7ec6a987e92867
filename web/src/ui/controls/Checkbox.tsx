import { useId, type ComponentPropsWithRef } from 'react'
import classes from './Checkbox.module.css'

type Props = Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'className'> & { label: string; description?: string }

export function Checkbox({ label, description, ...input }: Props) {
  const id = useId()
  const descriptionId = description === undefined ? undefined : `${id}-description`
  return (
    <div className={classes.field}>
      <div className={classes.box}>
        <input {...input} id={id} type="checkbox" className={classes.input} aria-describedby={descriptionId} />
        <svg viewBox="0 0 10 7" className={classes.mark} aria-hidden="true">
          <path d="M1 3 3.7 5.7 9 1" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </div>
      <div className={classes.texts}>
        <label htmlFor={id}>{label}</label>
        {description !== undefined && (
          <p id={descriptionId} className={classes.description}>
            {description}
          </p>
        )}
      </div>
    </div>
  )
}
