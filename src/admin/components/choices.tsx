import { type ReactNode, useId } from 'react'
import styles from './choices.module.css'

interface Option<Value> {
  value: Value
  label: string
  /** A sentence below the label. */
  hint?: string
}

/** A group of radio buttons or checkboxes in a row. */
export function Choices<Value extends string | number>(props: {
  legend: ReactNode
  options: Option<Value>[]
  chosen: readonly Value[]
  several?: boolean
  onChoose: (chosen: Value[]) => void
}) {
  const { legend, options, chosen, several, onChoose } = props
  const name = useId()
  const toggled = (value: Value) => {
    if (!several) return [value]
    return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
  }
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value}>
          <input
            type={several ? 'checkbox' : 'radio'}
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
