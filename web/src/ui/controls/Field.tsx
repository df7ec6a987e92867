import { useId, type ReactNode } from 'react'
import classes from './Field.module.css'

/**
 * Props that every field accepts in addition to the attributes of its input element. `className` is set on the whole
 * field.
 */
export interface FieldProps {
  label?: ReactNode
  description?: ReactNode
  /** Places the description below the input instead of above it. */
  isDescriptionBelow?: boolean
  /** `true` marks the input as invalid without a message. */
  error?: ReactNode
  leftSection?: ReactNode
  rightSection?: ReactNode
  className?: string
  /** Wraps the input, for example to place a button next to it. */
  inputContainer?: (input: ReactNode) => ReactNode
  id?: string
  required?: boolean
  'aria-describedby'?: string
}

/** The attributes that connect an input to its label, description and error. */
interface InputAttributes {
  id: string
  required: boolean | undefined
  className: string | undefined
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Splits props into those of the field and the attributes of its input element. */
export function splitProps<Props extends FieldProps>(props: Props) {
  const {
    label,
    description,
    isDescriptionBelow,
    error,
    leftSection,
    rightSection,
    className,
    inputContainer,
    id,
    required,
    'aria-describedby': describedBy,
    ...attributes
  } = props
  const field = { label, description, isDescriptionBelow, error, leftSection, rightSection, className, inputContainer }
  return { field: { ...field, id, required, 'aria-describedby': describedBy }, attributes }
}

const hasText = (text: ReactNode): boolean => Boolean(text) && text !== true

interface Parts {
  id: string
  text: ReactNode
  className: string | undefined
}

function Line({ id, text, className }: Parts) {
  return hasText(text) ? (
    <p id={id} className={className}>
      {text}
    </p>
  ) : null
}

/** A labelled input with description and error. `children` renders the input itself. */
export function Field({ children, ...props }: FieldProps & { children: (attributes: InputAttributes) => ReactNode }) {
  const generatedId = useId()
  const { id = generatedId, required, label, description, error, leftSection, rightSection } = props
  const [errorId, descriptionId] = [`${id}-error`, `${id}-description`]
  const described = [
    props['aria-describedby'],
    hasText(error) && errorId,
    hasText(description) && descriptionId,
  ].filter(Boolean)
  const input = (
    <div
      className={classes.control}
      data-with-left-section={leftSection ? true : undefined}
      data-with-right-section={rightSection ? true : undefined}
    >
      {leftSection && <div className={classes.left}>{leftSection}</div>}
      {children({
        id,
        required,
        className: classes.input,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
      })}
      {rightSection && <div className={classes.right}>{rightSection}</div>}
    </div>
  )
  const descriptionLine = <Line id={descriptionId} text={description} className={classes.description} />
  return (
    <div className={`${classes.field} ${props.className ?? ''}`} data-described-below={props.isDescriptionBelow}>
      {label && (
        <label htmlFor={id} className={classes.label}>
          {label}
          {required && (
            <span className={classes.required} aria-hidden="true">
              {' *'}
            </span>
          )}
        </label>
      )}
      {!props.isDescriptionBelow && descriptionLine}
      {props.inputContainer?.(input) ?? input}
      {props.isDescriptionBelow && descriptionLine}
      <Line id={errorId} text={error} className={classes.error} />
    </div>
  )
}
