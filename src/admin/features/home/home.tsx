import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type Right, rightGroups } from '../../../contract/rights.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { Said } from '../../components/said.tsx'
import { Beside, Section } from '../../components/section.tsx'
import { Failed, NotLoaded, Waiting } from '../../components/states.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { devicesQuery, profileQuery } from '../profile/profile.ts'
import { labelOf } from '../roles/right-names.tsx'
import { useMe } from '../sign-in/me.ts'
import { Figures } from './figures.tsx'
import styles from './home.module.css'
import { News } from './news.tsx'

/** Where one comes in: who one is, what one may do, what is new. */
export function Home() {
  const t = useText()
  const me = useMe()
  return (
    <Page title={t('shell.overview')} heading={<Said text="home.signedInAs" name={<bdi>{me.name}</bdi>} />}>
      <Beside
        main={
          <>
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

/** What everyone has to know of their own account. */
function Account() {
  const t = useText()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  const { data: devices, error: noDevices, refetch: lookAgain } = useQuery(devicesQuery)
  return (
    <Section title={t('home.account')}>
      {!profile && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={2} />)}
      {profile && (
        <>
          {profile.newEmail && (
            <p className="flush">
              <Said text="home.emailWaits" email={<bdi dir="ltr">{profile.newEmail}</bdi>} />
            </p>
          )}
          <p className="flush">{t(profile.twoFactor ? 'home.twoFactorOn' : 'home.twoFactorOff')}</p>
          {!devices && noDevices && <NotLoaded text={t('home.noDevices')} retry={() => void lookAgain()} />}
          {devices && <p className="flush">{t('home.devices', { count: devices.length })}</p>}
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
      lead={groups.length > 0 ? <Said text="home.byRole" role={role} /> : t('home.mayNothing')}
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
