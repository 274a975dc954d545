import { useQuery } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { OwnRights } from './own-rights.tsx'
import { Passkeys } from './passkeys.tsx'
import { profileQuery } from './profile.ts'
import { ProfileForm } from './profile-form.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function ProfilePage() {
  const t = useText()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  return (
    <Page title={t('profile.title')} lead={t('profile.lead')} narrow>
      {!profile && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={6} />)}
      {profile && (
        <>
          <ProfileForm profile={profile} />
          <TwoFactor profile={profile} />
          <Passkeys profile={profile} />
          <Sessions />
          <OwnRights />
        </>
      )}
    </Page>
  )
}
