import { Badge, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { roleName } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { confirmInDialog } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'

/** The read-only properties of a user. */
export function UserFacts({ user }: { user: User }) {
  const t = useText()
  return (
    <Section title={t('users.about')}>
      <Facts
        facts={[
          { label: t('users.status'), value: <StatusBadge user={user} /> },
          {
            label: t('users.lastSignIn'),
            value: user.lastSignedInAt ? <Moment at={user.lastSignedInAt} /> : t('users.never'),
          },
          {
            label: t('users.twoFactor'),
            value: (
              <>
                {t(user.twoFactor ? 'users.on' : 'users.off')}{' '}
                {user.twoFactor && user.can.block && <TurnOffUserTwoFactor user={user} />}
              </>
            ),
          },
          { label: t('users.hasPassword'), value: t(user.hasPassword ? 'form.yes' : 'form.no') },
          { label: t('users.added'), value: <Moment at={user.createdAt} /> },
          { label: t('users.changed'), value: <Moment at={user.updatedAt} /> },
        ]}
      />
    </Section>
  )
}

/** A button to turn off two-factor authentication of a user who lost both the app and the recovery codes. */
function TurnOffUserTwoFactor({ user }: { user: User }) {
  const t = useText()
  const queries = useQueryClient()
  const name = <bdi>{user.name}</bdi>
  const turnOff = useMutation({
    mutationFn: () => parseResponse(api.users[':id']['two-factor'].$delete({ param: { id: String(user.id) } })),
    onSuccess: () => notify(<Translated text="users.twoFactorOff.done" name={name} />),
    onError: (error) => notifyFailure(t('users.twoFactorOff.failed'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  const confirmAndTurnOff = async () => {
    const isConfirmed = await confirmInDialog({
      title: t('users.twoFactorOff.title'),
      text: <Translated text="users.twoFactorOff.text" name={name} />,
      yes: t('users.twoFactorOff.action'),
      danger: true,
    })
    if (isConfirmed) turnOff.mutate()
  }
  return (
    <Button size="compact-sm" loading={turnOff.isPending} onClick={() => void confirmAndTurnOff()}>
      {t('users.twoFactorOff.action')}
    </Button>
  )
}

/** Whether the user is active or blocked. */
export function StatusBadge({ user }: { user: Pick<User, 'blocked'> }) {
  const t = useText()
  return <Badge color={user.blocked ? 'red' : 'brand'}>{t(user.blocked ? 'users.blocked' : 'users.active')}</Badge>
}

export function RoleName({ user }: { user: Pick<User, 'user_role' | 'role'> }) {
  const t = useText()
  if (!user.user_role) return <span className="quiet">{t('users.noRole')}</span>
  return <bdi>{roleName(user.user_role, t)}</bdi>
}

export function TwoFactorMark({ user }: { user: Pick<User, 'twoFactor'> }) {
  const t = useText()
  if (!user.twoFactor) return null
  const label = `${t('users.twoFactor')}: ${t('users.on')}`
  return <ShieldCheck size={16} role="img" aria-label={label} className="good" />
}
