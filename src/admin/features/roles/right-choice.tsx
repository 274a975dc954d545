import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Right, rightGroups } from '../../../contract/rights.ts'
import { type TextKey, useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import styles from './right-choice.module.css'
import { helpOf, labelOf } from './right-names.tsx'
import { inOrder } from './role-values.ts'

/** Every right there is, in groups and explained. One that the giver lacks is shown and cannot be changed. */
export function RightChoice(props: {
  value: Right[]
  onChange: (rights: Right[]) => void
  error?: ReactNode
  disabled?: boolean
}) {
  const { value, onChange, error, disabled } = props
  const t = useText()
  const me = useMe()
  const toggle = (right: Right, on: boolean) =>
    onChange(inOrder(on ? [...value, right] : value.filter((one) => one !== right)))
  return (
    <div className={styles.groups}>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {Object.entries(rightGroups).map(([group, rights]) => (
        <fieldset key={group} className={styles.group}>
          <legend>{t(`rights.groups.${group}` as TextKey)}</legend>
          {rights.map((right) => {
            const mine = me.rights.includes(right)
            return (
              <Checkbox
                key={right}
                label={t(labelOf(right))}
                description={mine ? t(helpOf(right)) : `${t(helpOf(right))} ${t('roles.notYours')}`}
                checked={value.includes(right)}
                disabled={disabled || !mine}
                onChange={(event) => toggle(right, event.currentTarget.checked)}
              />
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}
