import classes from './PreferenceToggle.module.css'

interface Props {
  name: string
  label: string
  description: string
  isOn: boolean
  isDisabled: boolean
  onChange: (isOn: boolean) => void
}

export function PreferenceToggle({ name, label, description, isOn, isDisabled, onChange }: Props) {
  return (
    <div className={classes.row}>
      <div>
        <label htmlFor={name} className={classes.label}>
          {label}
        </label>
        <p id={`${name}-about`} className={classes.about}>
          {description}
        </p>
      </div>
      <input
        id={name}
        name={name}
        type="checkbox"
        role="switch"
        className={classes.switch}
        aria-describedby={`${name}-about`}
        disabled={isDisabled}
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  )
}
