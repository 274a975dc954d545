import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, ExternalLink, EyeOff, History } from 'lucide-react'
import { useState } from 'react'
import type { PageInLocale } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { ask } from '../../components/dialog.tsx'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { PreviewLink } from '../drafts/preview-link.tsx'
import { nameWithin, Schedule, StateBadge } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-form.module.css'
import { pageQuery } from './pages.ts'
import { Review } from './review.tsx'
import { useSaveSchedule } from './schedule-times.ts'

export const ScheduleDialog = lazyPart(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

/** The publication state, the schedule, and the actions to change them. */
export function PageStateSection({ work }: { work: PageEditor }) {
  const t = useText()
  const { page } = work
  const [scheduling, setScheduling] = useState(false)
  const isSaved = page.version > 0
  const mayUnpublish = page.can.publish && page.path !== null && !(page.fixed && page.locale === 'nl')
  return (
    <Section title={t('pages.visible')}>
      <div>
        <StateBadge state={page.state} />
        <Schedule text={page} />
      </div>
      <Review work={work} />
      <ScheduledTextIsOlder work={work} />
      <Facts
        facts={[
          ...(page.publishedAt ? [{ label: t('pages.publishedAt'), value: <Moment at={page.publishedAt} /> }] : []),
          ...(page.savedAt && page.savedBy
            ? [
                {
                  label: t('pages.savedAt'),
                  value: (
                    <Translated
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
            onClick={() => void openWhenLoaded(ScheduleDialog, () => setScheduling(true))}
          >
            {t('pages.schedule.open')}
          </Button>
        )}
        {isSaved && (
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
      {scheduling && <ScheduleDialog work={work} close={() => setScheduling(false)} />}
    </Section>
  )
}

/** A schedule publishes the text that was saved when it was made, which may be an older one. */
function ScheduledTextIsOlder({ work }: { work: PageEditor }) {
  const t = useText()
  const { page } = work
  const saveSchedule = useSaveSchedule(work)
  if (!page.publishAt || page.plannedVersion === null || page.plannedVersion === page.version) return null
  const { version, publishAt, unpublishAt } = page
  return (
    <div className="stack">
      <p className="quiet small flush">{t('pages.schedule.older')}</p>
      {page.can.publish && (
        <Button
          variant="default"
          loading={saveSchedule.isPending}
          onClick={() =>
            saveSchedule.mutate(
              { version, publishAt, unpublishAt },
              { onError: (error) => notifyFailure(t('pages.schedule.notSaved'), error) },
            )
          }
        >
          {t('pages.schedule.newer')}
        </Button>
      )}
    </div>
  )
}

function Unpublish({ work }: { work: PageEditor }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const unpublish = useMutation({
    mutationFn: (): Promise<PageInLocale> =>
      parseResponse(
        api.pages[':id'][':locale'].unpublish.$post({
          param: { id: String(page.id), locale: page.locale },
          json: { version: page.version },
        }),
      ),
    onSuccess(now) {
      work.updateCache(now)
      notify(t('pages.unpublished'))
    },
    onError(error) {
      notifyFailure(t('pages.notUnpublished'), error)
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
