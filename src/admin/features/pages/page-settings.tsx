import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { PageInLocale, RevisionGroup } from '../../../contract/pages.ts'
import { IconButton, TextLink } from '../../components/buttons.tsx'
import { Moment } from '../../components/dates.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Facts } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { EntryFields } from '../collections/entry-fields.tsx'
import { Accessibility, type AccessibilityCheck } from './accessibility.tsx'
import { PageLockSettings } from './lock-form.tsx'
import { nameWithin, Schedule } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'
import { pageHistory, revisionsQuery } from './pages.ts'
import { HistoryLink, RevisionBadges, SavedBy, useSavedWhen } from './revision-facts.tsx'
import { useSaveSchedule } from './schedule-times.ts'
import { SeoSettings } from './seo-section.tsx'
import { PageSlug } from './slug-field.tsx'

/** Everything of a page but its title and blocks: state, entry, address, search engines, locks, checks and history. */
export function PageSettings(props: {
  editor: PageEditor
  accessibilityCheck: AccessibilityCheck
  /** Whether the heading gets the focus when the settings open. */
  takesFocus: boolean
  close: () => void
}) {
  const { editor, accessibilityCheck, takesFocus, close } = props
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const isReadOnly = !editor.page.can.change
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <aside id="instellingen" className={styles.settings} aria-labelledby="instellingen-titel">
      <div className={styles.settingsHead}>
        <h2 ref={heading} id="instellingen-titel" tabIndex={-1}>
          {t('pages.settings.title')}
        </h2>
        <IconButton label={t('pages.settings.close')} icon={<X />} onClick={close} />
      </div>
      {editor.page.version > 0 && (
        <SettingsPart title={t('pages.visible')}>
          <PageState editor={editor} />
        </SettingsPart>
      )}
      {editor.page.collection !== null && (
        <SettingsPart title={t('pages.entry.title')}>
          <EntryFields editor={editor} disabled={isReadOnly} />
        </SettingsPart>
      )}
      <SettingsPart title={t('pages.fields.slug')}>
        <PageSlug editor={editor} />
      </SettingsPart>
      <SettingsPart title={t('pages.seo.title')}>
        <SeoSettings editor={editor} isReadOnly={isReadOnly} />
      </SettingsPart>
      <SettingsPart title={t('blocks.lock.page')}>
        <PageLockSettings page={editor.page} />
      </SettingsPart>
      <SettingsPart title={t('pages.accessibility.title')}>
        <Accessibility editor={editor} check={accessibilityCheck} />
      </SettingsPart>
      {editor.page.version > 0 && (
        <SettingsPart title={t('pages.history.title')}>
          <RecentHistory page={editor.page} />
        </SettingsPart>
      )}
    </aside>
  )
}

function SettingsPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** When the page was saved and published, its schedule, and a link to it. */
function PageState({ editor }: { editor: PageEditor }) {
  const t = useText()
  const { page } = editor
  return (
    <>
      <Schedule text={page} />
      <ScheduledTextIsOlder editor={editor} />
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

const recentGroups = 10

/** The newest groups of saves, each with a link to what its last save changed. */
function RecentHistory({ page }: { page: PageInLocale }) {
  const { data, error, refetch } = useQuery(revisionsQuery(pageHistory(page.id, page.locale), {}))
  if (!data) return <LoadingOrError error={error} refetch={refetch} rows={3} />
  const params = { id: String(page.id), locale: page.locale }
  return (
    <>
      <ol className={styles.versions}>
        {data.data.slice(0, recentGroups).map((group) => (
          <li key={group.id}>
            <TextLink to="/admin/pages/$id/$locale/history" params={params} search={{ revision: group.id }}>
              <SavedAt group={group} />
              <SavedBy group={group} />
            </TextLink>
            <RevisionBadges group={group} size="sm" />
          </li>
        ))}
      </ol>
      <div className="row">
        <HistoryLink page={page} />
      </div>
    </>
  )
}

const SavedAt = ({ group }: { group: RevisionGroup }) => <time dateTime={group.until}>{useSavedWhen(group)}</time>

/** For a schedule that was set before the last save: offers to publish the current version instead of the older one. */
function ScheduledTextIsOlder({ editor }: { editor: PageEditor }) {
  const t = useText()
  const { page } = editor
  const saveSchedule = useSaveSchedule(editor)
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
