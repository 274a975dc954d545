import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheckBig } from 'lucide-react'
import type { StartStep } from '../../../contract/dashboard.ts'
import { api, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { dashboardQuery } from './dashboard.ts'
import styles from './home.module.css'

const configPart = { name: 'brand', logo: 'logo', colours: 'palette' } as const

/** The first steps with a new site, until all are done or the user puts the list away. */
export function StartList() {
  const t = useText()
  const { data } = useQuery(dashboardQuery)
  const hide = useHideStartList()
  if (!data?.start) return null
  const done = data.start.filter((step) => step.done).length
  return (
    <Section
      title={t('home.start.title')}
      lead={t('home.start.progress', { done, all: data.start.length })}
      actions={
        <Button variant="subtle" size="compact-md" loading={hide.isPending} onClick={() => hide.mutate(true)}>
          {t('home.start.hide')}
        </Button>
      }
    >
      <ol className={styles.steps}>
        {data.start.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            {done ? <CircleCheckBig size={22} aria-hidden /> : <Circle size={22} aria-hidden />}
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

function StepLink({ step }: { step: StartStep }) {
  const t = useText()
  const label = t(`home.start.steps.${step}`)
  if (step === 'page') return <TextLink to="/admin/pages/new">{label}</TextLink>
  if (step === 'twoFactor') return <TextLink to="/admin/profile">{label}</TextLink>
  // The form of the site itself: a message through it takes the whole way of an email.
  if (step === 'mail') {
    return (
      <Anchor href="/#contact" underline="hover" inherit>
        {label}
      </Anchor>
    )
  }
  return (
    <TextLink to="/admin/config/$part" params={{ part: configPart[step] }}>
      {label}
    </TextLink>
  )
}

function useHideStartList() {
  const t = useText()
  const queries = useQueryClient()
  const hide = useMutation({
    mutationFn: (hidden: boolean) => parseResponse(api.dashboard.start.$put({ json: { hidden } })),
    async onSuccess(_nothing, hidden) {
      await queries.invalidateQueries({ queryKey: dashboardQuery.queryKey, exact: true })
      if (hidden) notify(t('home.start.hidden'), () => hide.mutate(false))
    },
    onError: (error) => notifyFailure(t('states.failed'), error),
  })
  return hide
}
