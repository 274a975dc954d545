import type { User } from '../../../contract/users.ts'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { TurnOffTwoFactorOf } from './turn-off-two-factor-of.tsx'
import { StatusBadge } from './user-bits.tsx'

/** What is known of somebody and not for changing here. */
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
                {user.twoFactor && user.can.block && <TurnOffTwoFactorOf user={user} />}
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
