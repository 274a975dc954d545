import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheckBig, FilePlus, ImagePlus, type LucideIcon, SlidersHorizontal, UserPlus } from 'lucide-react'
import type { OnboardingStep } from '../../../contract/dashboard.ts'
import type { HealthLine } from '../../../contract/health.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { api, parseResponse } from '../../client.ts'
import { LinkButton, TextLink } from '../../components/buttons.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page, Section, TwoColumns } from '../../components/page.tsx'
import { InlineError, LoadingOrError, MailNotice, problemsQuery } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useText } from '../../i18n.ts'
import { useSitePath } from '../../site-languages.ts'
import { HealthLines } from '../health/health-lines.tsx'
import { profileQuery, sessionsQuery } from '../profile/profile.ts'
import { useMe } from '../sign-in/me.ts'
import { dashboardQuery } from './dashboard.ts'
import { Figures } from './figures.tsx'
import styles from './home.module.css'
import { News } from './news.tsx'

/** The dashboard: quick actions, problems of the site, onboarding, news, statistics and the user's account. */
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
            {hasRight(me, ['mail.read', 'messages.read', 'messages.write', 'users.write', 'config.write']) && (
              <MailNotice />
            )}
            <Problems outcome="failed" />
            <OnboardingChecklist />
            <Problems outcome="attention" />
            <News />
            <Figures />
          </>
        }
        aside={<Account />}
      />
    </Page>
  )
}

/** All of them are on the health screen. */
const maxAttentionLines = 3

/** The health checks with this outcome, for users who can solve problems; others get none from the API. */
function Problems({ outcome }: { outcome: 'failed' | 'attention' }) {
  const t = useText()
  const { data } = useQuery(problemsQuery)
  if (!data?.lines) return null
  // `MailNotice` says the same.
  const isInMailNotice = ({ check }: HealthLine) =>
    check === 'mailServer' || (check === 'emails' && data.mail === 'waiting')
  const lines = data.lines.filter((line) => line.outcome === outcome && !isInMailNotice(line))
  const hasNoProblems = data.lines.length === 0
  // Only one of the two lists says that all is well.
  if (hasNoProblems && outcome === 'attention') return <p className="quiet flush">{t('home.problems.good')}</p>
  if (lines.length === 0) return null
  const shownLines = outcome === 'failed' ? lines : lines.slice(0, maxAttentionLines)
  return (
    <Section title={t(`home.problems.${outcome}`)}>
      <HealthLines lines={shownLines} />
      {lines.length > shownLines.length && (
        <TextLink to="/admin/health">{t('home.problems.all', { count: lines.length })}</TextLink>
      )}
    </Section>
  )
}

function greetingAt(now: Date): TextKey {
  const hour = now.getHours()
  if (hour < 6) return 'home.greeting.night'
  if (hour < 12) return 'home.greeting.morning'
  return hour < 18 ? 'home.greeting.afternoon' : 'home.greeting.evening'
}

/** The user's own account: an email address to confirm, two-factor authentication and sessions. */
function Account() {
  const t = useText()
  const { data: profile, error, refetch } = useQuery(profileQuery)
  const { data: sessions, error: sessionsError, refetch: refetchSessions } = useQuery(sessionsQuery)
  return (
    <Section title={t('home.account')}>
      {!profile && <LoadingOrError error={error} refetch={refetch} rows={2} />}
      {profile && (
        <>
          {profile.newEmail && (
            <p className="flush">
              <Translated text="home.emailWaits" email={<bdi dir="ltr">{profile.newEmail}</bdi>} />
            </p>
          )}
          <p className="flush">{t(profile.twoFactor ? 'home.twoFactorOn' : 'home.twoFactorOff')}</p>
          {!sessions && sessionsError && (
            <InlineError text={t('home.sessionsNotLoaded')} retry={() => void refetchSessions()} />
          )}
          {sessions && <p className="flush">{t('home.sessions', { count: sessions.length })}</p>}
        </>
      )}
      <LinkButton to="/admin/profile">{t('home.profile')}</LinkButton>
    </Section>
  )
}

const actions = [
  { to: '/admin/pages/new', label: 'palette.newPage', icon: FilePlus, right: 'pages.write' },
  { to: '/admin/files', label: 'home.addFile', icon: ImagePlus, right: 'files.write' },
  { to: '/admin/users/new', label: 'palette.newUser', icon: UserPlus, right: 'users.write' },
  { to: '/admin/config', label: 'shell.settings', icon: SlidersHorizontal, right: 'config.write' },
] as const satisfies { to: string; label: TextKey; icon: LucideIcon; right: Right }[]

/** Buttons for the most frequent actions that the user has the right to. */
function QuickActions() {
  const t = useText()
  const me = useMe()
  const allowed = actions.filter(({ right }) => hasRight(me, [right]))
  if (allowed.length === 0) return null
  return (
    <nav aria-label={t('home.quickActions')}>
      <ul className={styles.actions}>
        {allowed.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <LinkButton to={to} leftSection={<Icon />}>
              {t(label)}
            </LinkButton>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The settings screens of onboarding steps. */
const configScreenOf = {
  name: 'brand',
  logo: 'logo',
  colours: 'palette',
  company: 'legal',
  recipients: 'contact',
} as const

/** The first steps with a new site, until all are done or the user hides the list. */
function OnboardingChecklist() {
  const t = useText()
  const { data } = useQuery(dashboardQuery)
  const setHidden = useSetChecklistHidden()
  if (!data?.start) return null
  const doneCount = data.start.filter(({ done }) => done).length
  return (
    <Section
      title={t('home.start.title')}
      lead={t('home.start.progress', { done: doneCount, all: data.start.length })}
      actions={
        <Button variant="subtle" size="compact-md" loading={setHidden.isPending} onClick={() => setHidden.mutate(true)}>
          {t('home.start.hide')}
        </Button>
      }
    >
      <ol className={styles.steps}>
        {data.start.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            {done ? <CircleCheckBig size={22} /> : <Circle size={22} />}
            <div>
              <StepLink step={step} /> {done && <span className="visually-hidden">({t('home.start.done')})</span>}
              {!done && <small className="quiet">{t(`home.start.why.${step}`)}</small>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function StepLink({ step }: { step: OnboardingStep }) {
  const t = useText()
  const contactPath = useSitePath('/#contact')
  const label = t(`home.start.steps.${step}`)
  if (step === 'backups') return <TextLink to="/admin/backups">{label}</TextLink>
  if (step === 'alarms') return <TextLink to="/admin/health">{label}</TextLink>
  if (step === 'page') return <TextLink to="/admin/pages/new">{label}</TextLink>
  if (step === 'twoFactor') return <TextLink to="/admin/profile">{label}</TextLink>
  // A message through the contact form of the site tests the whole path of an email.
  if (step === 'mail') {
    return (
      <Anchor href={contactPath} underline="hover" inherit>
        {label}
      </Anchor>
    )
  }
  return (
    <TextLink to="/admin/config/$part" params={{ part: configScreenOf[step] }}>
      {label}
    </TextLink>
  )
}

function useSetChecklistHidden() {
  const t = useText()
  const queries = useQueryClient()
  const setHidden = useMutation({
    mutationFn: (hidden: boolean) => parseResponse(api.dashboard.start.$put({ json: { hidden } })),
    async onSuccess(_nothing, hidden) {
      await queries.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true })
      if (hidden) notify(t('home.start.hidden'), () => setHidden.mutate(false))
    },
    onError: (error) => notifyFailure(t('states.failed'), error),
  })
  return setHidden
}
