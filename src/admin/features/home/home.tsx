import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasRight } from '../../../contract/rights.ts'
import { LinkButton, TextLink } from '../../components/buttons.tsx'
import { Page, Section, TwoColumns } from '../../components/page.tsx'
import { Failed, Loading, NoMailServer, NotLoaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { profileQuery, sessionsQuery } from '../profile/profile.ts'
import { useMe } from '../sign-in/me.ts'
import { dashboardQuery } from './dashboard.ts'
import { Figures } from './figures.tsx'
import { News } from './news.tsx'
import { QuickActions } from './quick-actions.tsx'
import { StartList } from './start-list.tsx'

/** The dashboard: where work begins, with the user's first steps, news and account. */
export function Home() {
  const t = useText()
  const me = useMe()
  return (
    <Page
      title={t('shell.overview')}
      heading={<Translated text={greetingAt(new Date())} name={<bdi>{me.name.trim().split(/\s+/)[0]}</bdi>} />}
      lead={<Translated text="home.signedInAs" name={<bdi>{me.name}</bdi>} />}
    >
      {me.rights.length === 0 && <p className="flush">{t('home.mayNothing')}</p>}
      <QuickActions />
      <TwoColumns
        main={
          <>
            {hasRight(me, ['mail.read', 'messages.read', 'messages.write', 'users.write']) && <NoMailServer />}
            <BackupTrouble />
            <StartList />
            <News />
            <Figures />
          </>
        }
        aside={<Account />}
      />
    </Page>
  )
}

/** Shown to users who can do something about it. */
function BackupTrouble() {
  const t = useText()
  const { data } = useQuery(dashboardQuery)
  const state = data?.news.backup?.state
  if (state !== 'failed' && state !== 'late' && state !== 'unproved') return null
  return (
    <Alert color="red" title={t(`home.backup.${state}`)}>
      <TextLink to="/admin/backups">{t('home.backup.look')}</TextLink>
    </Alert>
  )
}

function greetingAt(now: Date): TextKey {
  const hour = now.getHours()
  if (hour < 6) return 'home.greeting.night'
  if (hour < 12) return 'home.greeting.morning'
  return hour < 18 ? 'home.greeting.afternoon' : 'home.greeting.evening'
}

/** Warnings and facts about the user's own account. */
function Account() {
  const t = useText()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  const { data: sessions, error: sessionsError, refetch: refetchSessions } = useQuery(sessionsQuery)
  return (
    <Section title={t('home.account')}>
      {!profile && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading rows={2} />)}
      {profile && (
        <>
          {profile.newEmail && (
            <p className="flush">
              <Translated text="home.emailWaits" email={<bdi dir="ltr">{profile.newEmail}</bdi>} />
            </p>
          )}
          <p className="flush">{t(profile.twoFactor ? 'home.twoFactorOn' : 'home.twoFactorOff')}</p>
          {!sessions && sessionsError && (
            <NotLoaded text={t('home.sessionsNotLoaded')} retry={() => void refetchSessions()} />
          )}
          {sessions && <p className="flush">{t('home.sessions', { count: sessions.length })}</p>}
        </>
      )}
      <LinkButton to="/admin/profile" variant="default">
        {t('home.profile')}
      </LinkButton>
    </Section>
  )
}
