import { Badge } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import type { User } from '../../../contract/users.ts'
import { useText } from '../../i18n.ts'

/** Whether somebody can sign in. */
export function StatusBadge({ user }: { user: Pick<User, 'blocked'> }) {
  const t = useText()
  return user.blocked ? (
    <Badge size="lg" color="red" variant="light">
      {t('users.blocked')}
    </Badge>
  ) : (
    <Badge size="lg" color="brand" variant="light">
      {t('users.active')}
    </Badge>
  )
}

export function RoleName({ user }: { user: Pick<User, 'user_role' | 'role'> }) {
  const t = useText()
  if (!user.user_role) return <span className="quiet">{t('users.noRole')}</span>
  return <bdi>{user.user_role.name}</bdi>
}

export function TwoFactorMark({ user }: { user: Pick<User, 'twoFactor'> }) {
  const t = useText()
  if (!user.twoFactor) return null
  const label = `${t('users.twoFactor')}: ${t('users.on')}`
  return <ShieldCheck size={16} role="img" aria-label={label} className="good" />
}
