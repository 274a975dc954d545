import { type ReactNode, useId } from 'react'
import styles from './choices.module.css'

interface Option<Value> {
  value: Value
  label: string
  /** A sentence below the label. */
  hint?: string
}

/** A group of radio buttons or checkboxes in a row. */
export function ChoiceGroup<Value extends string | number>(props: {
  legend: ReactNode
  options: Option<Value>[]
  chosen: readonly Value[]
  multiple?: boolean
  onChoose: (chosen: Value[]) => void
}) {
  const { legend, options, chosen, multiple, onChoose } = props
  const name = useId()
  const nextChosen = (value: Value) => {
    if (!multiple) return [value]
    return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
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
            onChange={() => onChoose(nextChosen(value))}
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
