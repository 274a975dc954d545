import { type ReactNode, useId } from 'react'
import styles from './choices.module.css'

interface Option<Value> {
  value: Value
  label: string
  /** A sentence below the label. */
  hint?: string
}

/** A group of radio buttons in a row, or of checkboxes with `multiple`. */
export function ChoiceGroup<Value extends string | number>(props: {
  legend: ReactNode
  options: Option<Value>[]
  chosen: readonly Value[]
  multiple?: boolean
  /** Called with all chosen values: exactly one without `multiple`. */
  onChoose: (chosen: Value[]) => void
}) {
  const { legend, options, chosen, multiple, onChoose } = props
  const name = useId()
  const toggled = (value: Value) => {
    if (!multiple) return [value]
    return chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
  }
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value}>
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(value)}
            onChange={() => onChoose(toggled(value))}
          />
          <span className={hint && styles.card}>
            {label}
            {hint && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
