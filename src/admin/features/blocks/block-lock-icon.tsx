import { Lock } from 'lucide-react'
import { useContext } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { roleName } from '../../../contract/rights.ts'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { LocksContext, rolesOf } from './block-locks.ts'
import styles from './blocks.module.css'

/** The lock icon of a block that is locked for some roles; renders nothing for other blocks. */
export function BlockLockIcon({ block }: { block: string | undefined }) {
  const t = useText()
  const locale = useLocale()
  const label = lockText(rolesOf(useContext(LocksContext), block ?? ''), t, locale)
  if (!label) return null
  return (
    <span role="img" aria-label={label} title={label} className={styles.lockIcon}>
      <Lock size={16} />
    </span>
  )
}

/** The text that names the roles of a lock; undefined without roles. */
export const lockText = (
  roles: readonly { id: number; name: string }[],
  t: TFunction,
  locale: Locale,
): string | undefined =>
  roles.length === 0
    ? undefined
    : t('blocks.lock.for', {
        roles: new Intl.ListFormat(locale, { type: 'conjunction' }).format(roles.map((role) => roleName(role, t))),
      })
