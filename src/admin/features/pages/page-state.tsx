import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, ExternalLink, EyeOff, History } from 'lucide-react'
import { useState } from 'react'
import type { PageInLocale } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { later, openWhenHere } from '../../components/later.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { Facts, Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { nameWithin } from './name-within.ts'
import { Plans, StateBadge } from './page-bits.tsx'
import styles from './page-form.module.css'
import type { PageWork } from './page-work.ts'
import { pageQuery } from './pages.ts'
import { PreviewLink } from './preview-link.tsx'
import { useSavePlan } from './save-plan.ts'

export const PlanDialog = later(async () => (await import('./plan-dialog.tsx')).PlanDialog)

/** What visitors see of the page now, what is planned, and what can be done about it. */
export function PageStateSection({ work }: { work: PageWork }) {
  const t = useText()
  const { page } = work
  const [planning, setPlanning] = useState(false)
  const known = page.version > 0
  const mayUnpublish = page.can.publish && page.path !== null && !(page.fixed && page.locale === 'nl')
  return (
    <Section title={t('pages.visible')}>
      <div>
        <StateBadge state={page.state} />
        <Plans text={page} />
      </div>
      <PlannedIsOlder work={work} />
      <Facts
        facts={[
          ...(page.publishedAt ? [{ label: t('pages.publishedAt'), value: <Moment at={page.publishedAt} /> }] : []),
          ...(page.savedAt && page.savedBy
            ? [
                {
                  label: t('pages.savedAt'),
                  value: (
                    <Said
                      text="pages.savedBy"
                      date={<Moment at={page.savedAt} />}
                      name={<bdi>{nameWithin(page.savedBy, t)}</bdi>}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      <div className={styles.acts}>
        {page.path !== null && (
          <Button
            component="a"
            href={page.path}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<ExternalLink size={18} aria-hidden />}
          >
            {t('pages.view')}
          </Button>
        )}
        {page.can.change && <PreviewLink work={work} />}
        {page.can.publish && (
          <Button
            variant="default"
            leftSection={<CalendarClock size={18} aria-hidden />}
            onClick={() => void openWhenHere(PlanDialog, () => setPlanning(true))}
          >
            {t('pages.plan.open')}
          </Button>
        )}
        {known && (
          <LinkButton
            to="/admin/pages/$id/$locale/history"
            params={{ id: String(page.id), locale: page.locale }}
            variant="default"
            leftSection={<History size={18} aria-hidden />}
          >
            {t('pages.history.title')}
          </LinkButton>
        )}
        {mayUnpublish && <Unpublish work={work} />}
      </div>
      {planning && <PlanDialog work={work} close={() => setPlanning(false)} />}
    </Section>
  )
}

/** A plan keeps to the text that was saved when it was made. */
function PlannedIsOlder({ work }: { work: PageWork }) {
  const t = useText()
  const { page } = work
  const plan = useSavePlan(work)
  if (!page.publishAt || page.plannedVersion === null || page.plannedVersion === page.version) return null
  const { version, publishAt, unpublishAt } = page
  return (
    <div className="stack">
      <p className="quiet small flush">{t('pages.plan.older')}</p>
      <Button
        variant="default"
        loading={plan.isPending}
        onClick={() => plan.mutate({ version, publishAt, unpublishAt })}
      >
        {t('pages.plan.newer')}
      </Button>
    </div>
  )
}

function Unpublish({ work }: { work: PageWork }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const unpublish = useMutation({
    mutationFn: (): Promise<PageInLocale> =>
      answer(
        api.pages[':id'][':locale'].unpublish.$post({
          param: { id: String(page.id), locale: page.locale },
          json: { version: page.version },
        }),
      ),
    onSuccess(now) {
      work.know(now)
      tell(t('pages.unpublished'))
    },
    onError(error) {
      tellFailure(t('pages.notUnpublished'), error)
      void queries.invalidateQueries({ queryKey: pageQuery(page.id, page.locale).queryKey })
    },
  })
  const askFirst = async () => {
    const sure = await ask({
      title: t('pages.unpublishQuestion'),
      text: t('pages.unpublishText'),
      yes: t('pages.unpublish'),
      danger: true,
    })
    if (sure) unpublish.mutate()
  }
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<EyeOff size={18} aria-hidden />}
      loading={unpublish.isPending}
      onClick={() => void askFirst()}
    >
      {t('pages.unpublish')}
    </Button>
  )
}
