import type { Right } from '../../../contract/rights.ts'
import { type TextKey, useText } from '../../i18n.ts'
import styles from './right-names.module.css'

/** A list of the names of rights under a title, or that there are none. */
export function RightNames({ title, rights }: { title: string; rights: readonly Right[] }) {
  const t = useText()
  if (rights.length === 0) return <p className={styles.none}>{t('roles.none')}</p>
  return (
    <div className={styles.rights}>
      <p>{title}</p>
      <ul>
        {rights.map((right) => (
          <li key={right}>{t(rightLabelKey(right))}</li>
        ))}
      </ul>
    </div>
  )
}

export const rightLabelKey = (right: Right) => `rights.names.${right}.label` as TextKey
export const rightHelpKey = (right: Right) => `rights.names.${right}.explanation` as TextKey
