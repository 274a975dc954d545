import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { IconButton, TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Facts } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { EntryFields } from '../collections/entry-fields.tsx'
import { Accessibility, type AccessibilityCheck } from './accessibility.tsx'
import { PageLockSettings } from './lock-form.tsx'
import { nameWithin, Schedule } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'
import { pageHistory, revisionsQuery } from './pages.ts'
import { RevisionBadges, SavedBy, useSavedWhen, WholeHistory } from './revision-facts.tsx'
import { useSaveSchedule } from './schedule-times.ts'
import { SeoSettings } from './seo-section.tsx'
import { PageSlug } from './slug-field.tsx'

/** The properties of a page that are not in its content: state, address, and how it is found and shared. */
export function PageSettings(props: {
  work: PageEditor
  check: AccessibilityCheck
  byUser: boolean
  close: () => void
}) {
  const { work, check, byUser, close } = props
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const fixed = !work.page.can.change
  useEffect(() => {
    if (byUser) heading.current?.focus()
  }, [byUser])
  return (
    <aside id="instellingen" className={styles.settings} aria-labelledby="instellingen-titel">
      <div className={styles.settingsHead}>
        <h2 ref={heading} id="instellingen-titel" tabIndex={-1}>
          {t('pages.settings.title')}
        </h2>
        <IconButton label={t('pages.settings.close')} icon={<X />} onClick={close} />
      </div>
      {work.page.version > 0 && (
        <SettingsPart title={t('pages.visible')}>
          <PageState work={work} />
        </SettingsPart>
      )}
      {work.page.collection !== null && (
        <SettingsPart title={t('pages.entry.title')}>
          <EntryFields work={work} disabled={fixed} />
        </SettingsPart>
      )}
      <SettingsPart title={t('pages.fields.slug')}>
        <PageSlug work={work} />
      </SettingsPart>
      <SettingsPart title={t('pages.seo.title')}>
        <SeoSettings work={work} fixed={fixed} />
      </SettingsPart>
      <SettingsPart title={t('blocks.lock.page')}>
        <PageLockSettings page={work.page} />
      </SettingsPart>
      <SettingsPart title={t('pages.accessibility.title')}>
        <Accessibility work={work} check={check} />
      </SettingsPart>
      {work.page.version > 0 && (
        <SettingsPart title={t('pages.history.title')}>
          <NewestVersions page={work.page} />
        </SettingsPart>
      )}
    </aside>
  )
}

export function SettingsPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** When the page was saved and published, its schedule, and a link to it. */
function PageState({ work }: { work: PageEditor }) {
  const t = useText()
  const { page } = work
  return (
    <>
      <Schedule text={page} />
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
      {page.path !== null && (
        <div className="row">
          <Button component="a" href={page.path} target="_blank" rel="noopener" leftSection={<ExternalLink />}>
            {t('pages.view')}
          </Button>
        </div>
      )}
    </>
  )
}

const newestShown = 10

/** The newest entries of the history; each leads to what changed in its last save. */
function NewestVersions({ page }: { page: PageInLocale }) {
  const { data, error, refetch } = useQuery(revisionsQuery(pageHistory(page.id, page.locale), {}))
  if (!data) return <Unloaded error={error} refetch={refetch} rows={3} />
  const at = { id: String(page.id), locale: page.locale }
  return (
    <>
      <ol className={styles.versions}>
        {data.data.slice(0, newestShown).map((group) => (
          <li key={group.id}>
            <TextLink to="/admin/pages/$id/$locale/history" params={at} search={{ revision: group.id }}>
              <SavedAt group={group} />
              <SavedBy group={group} />
            </TextLink>
            <RevisionBadges group={group} size="sm" />
          </li>
        ))}
      </ol>
      <div className="row">
        <WholeHistory page={page} />
      </div>
    </>
  )
}

const SavedAt = ({ group }: { group: RevisionGroup }) => <time dateTime={group.until}>{useSavedWhen(group)}</time>

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
