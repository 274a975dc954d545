import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type Right, rightGroups, roleName } from '../../../contract/rights.ts'
import { Page, Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { rightLabelKey } from '../roles/right-names.tsx'
import { useMe } from '../sign-in/me.ts'
import { Passkeys } from './passkeys.tsx'
import styles from './profile.module.css'
import { profileQuery } from './profile.ts'
import { ProfileForm } from './profile-form.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function ProfilePage() {
  const t = useText()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  return (
    <Page title={t('profile.title')} lead={t('profile.lead')} narrow>
      {!profile && <LoadingOrError error={error} refetch={refetch} rows={6} />}
      {profile && (
        <>
          <ProfileForm key={profile.id} profile={profile} />
          <TwoFactor profile={profile} />
          <Passkeys profile={profile} />
          <Sessions />
          <OwnRights />
        </>
      )}
    </Page>
  )
}

/** The rights that the signed-in user has by their role. */
function OwnRights() {
  const t = useText()
  const me = useMe()
  const groups = Object.entries(rightGroups)
    .map(([group, rights]) => ({
      group,
      rights: (rights as readonly Right[]).filter((right) => me.rights.includes(right)),
    }))
    .filter(({ rights }) => rights.length > 0)
  // A user without a role of their own has the base role alone.
  const role = <bdi>{roleName(me.user_role ?? me.role, t)}</bdi>
  return (
    <Section
      title={t('profile.may')}
      lead={groups.length > 0 ? <Translated text="profile.byRole" role={role} /> : t('home.mayNothing')}
    >
      {groups.length > 0 && (
        <div className={styles.groups}>
          {groups.map(({ group, rights }) => (
            <div key={group}>
              <h3>{t(`rights.groups.${group}` as TextKey)}</h3>
              <ul>
                {rights.map((right) => (
                  <li key={right}>
                    <Check />
                    {t(rightLabelKey(right))}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </Section>
  )
}
