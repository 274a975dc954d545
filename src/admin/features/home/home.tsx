import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { hasRight, type Right, rightGroups } from '../../../contract/rights.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { Page, Section, TwoColumns } from '../../components/page.tsx'
import { Failed, Loading, NoMailServer, NotLoaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { profileQuery, sessionsQuery } from '../profile/profile.ts'
import { labelOf } from '../roles/right-names.tsx'
import { useMe } from '../sign-in/me.ts'
import { Figures } from './figures.tsx'
import styles from './home.module.css'
import { News } from './news.tsx'

/** The dashboard: the user's account, shortcuts and news. */
export function Home() {
  const t = useText()
  const me = useMe()
  return (
    <Page title={t('shell.overview')} heading={<Translated text="home.signedInAs" name={<bdi>{me.name}</bdi>} />}>
      <TwoColumns
        main={
          <>
            {hasRight(me, ['mail.read', 'messages.read', 'messages.write', 'users.write']) && <NoMailServer />}
            <News />
            <Figures />
            <MayDo />
          </>
        }
        aside={<Account />}
      />
    </Page>
  )
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

function MayDo() {
  const t = useText()
  const me = useMe()
  const groups = Object.entries(rightGroups)
    .map(([group, rights]) => ({
      group,
      rights: (rights as readonly Right[]).filter((one) => me.rights.includes(one)),
    }))
    .filter(({ rights }) => rights.length > 0)
  const role = <bdi>{(me.user_role ?? me.role).name}</bdi>
  return (
    <Section
      title={t('home.may')}
      lead={groups.length > 0 ? <Translated text="home.byRole" role={role} /> : t('home.mayNothing')}
    >
      {groups.length > 0 && (
        <div className={styles.groups}>
          {groups.map(({ group, rights }) => (
            <div key={group}>
              <h3 className={styles.head}>{t(`rights.groups.${group}` as TextKey)}</h3>
              <ul>
                {rights.map((right) => (
                  <li key={right}>
                    <Check size={18} aria-hidden />
                    {t(labelOf(right))}
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
