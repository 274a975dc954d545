import { Alert, Button, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { direction, type Locale, localeNames, locales } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import bar from '../../components/form.module.css'
import { focusFirstError, SaveFailure } from '../../components/form.tsx'
import { usePreload } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section, TwoColumns } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { registerUnsavedWork } from '../../new-version.ts'
import { DraftFailure, DraftQuestion, DraftStatus } from '../drafts/draft-notices.tsx'
import type { OfferedDraft } from '../drafts/draft-to-offer.ts'
import { OtherEditors, SavedMeanwhile, usePresence } from '../drafts/presence.tsx'
import { BodySection } from './body-section.tsx'
import { MergeConflicts, type PageEditor, usePageEditor } from './page-editor.ts'
import styles from './page-form.module.css'
import { PageStateSection, ScheduleDialog } from './page-state.tsx'
import { pageQuery } from './pages.ts'
import { SeoSection } from './seo-section.tsx'
import { PageSlug } from './slug-field.tsx'

const examples = { load: () => import('./confirm-example-text.tsx') }

/** The form of a page in one language, with its draft and presence. */
export function PageForm({ page, offered }: { page: PageInLocale; offered: OfferedDraft | undefined }) {
  const t = useText()
  const work = usePageEditor(page)
  const [offer, setOffer] = useState(offered)
  const { draft, failure, stale } = work
  const presence = usePresence(page.id, page.locale, work.autosave.tabId, page.version)
  const fixed = !page.can.change
  usePreload([examples, ScheduleDialog, MergeConflicts])
  useEffect(() => (work.dirty ? registerUnsavedWork() : undefined), [work.dirty])
  useHotkeys(fixed ? [] : [['mod+S', () => void work.save(false)]], [])
  useEffect(() => {
    if (failure && Object.keys(work.problems).length > 0) focusFirstError()
  }, [failure, work.problems])
  return (
    <>
      {/* Changes stored in the browser survive leaving; changes in memory do not. */}
      <UnsavedChangesGuard when={draft.phase === 'failed' && !draft.storedLocally} />
      {offer && <DraftQuestion offer={offer} work={work} over={() => setOffer(undefined)} />}
      <OtherEditors presence={presence} />
      <TwoColumns
        main={
          <>
            <LanguageTabs id={page.id} locale={page.locale} />
            {fixed && <Alert>{t('pages.readOnly')}</Alert>}
            {page.version === 0 && !fixed && !work.dirty && <StartWithCopy work={work} />}
            <SavedMeanwhile page={page} version={work.baseVersion} />
            <DraftFailure draft={draft} retry={() => work.autosave.retry()} />
            {failure && <SaveFailure key={failure.count} title={t('pages.notSaved')} {...failure} />}
            <Section title={t('pages.about')}>
              <div data-page-field="title">
                <TextInput
                  label={t('pages.fields.title')}
                  dir={direction[page.locale]}
                  lang={page.locale}
                  required
                  disabled={fixed}
                  autoComplete="off"
                  error={work.problems.title}
                  value={work.text.title}
                  onChange={(event) => work.change({ title: event.currentTarget.value })}
                />
              </div>
              <PageSlug work={work} />
            </Section>
          </>
        }
        aside={<PageStateSection work={work} />}
      />
      {/* Full width, because it shows the page itself. */}
      <BodySection work={work} />
      <SeoSection work={work} fixed={fixed} />
      {!fixed && <Saving work={work} />}
      {stale && <MergeConflicts {...stale} locale={page.locale} />}
    </>
  )
}

/**
 * The save bar. Users who may publish can save and publish at once; saving alone does not change the published page.
 */
function Saving({ work }: { work: PageEditor }) {
  const t = useText()
  const { page, saving, draft } = work
  const mayPublish = page.can.publish
  const publish = async () => {
    // Only a warning: if it cannot be loaded, saving continues.
    const warning = await examples.load().catch(() => undefined)
    if (!warning || (await warning.confirmExampleText(work))) void work.save(true)
  }
  const discard = async () => {
    try {
      const thrown = await work.discard()
      notify(t('pages.draft.discarded'), () => work.change(thrown))
    } catch (error) {
      notifyFailure(t('pages.draft.notDiscarded'), error)
    }
  }
  return (
    <div className={`${bar.bar} ${styles.saving}`}>
      {mayPublish && (
        <Button loading={saving === 'publish'} disabled={saving === 'save'} onClick={() => void publish()}>
          {t('pages.saveAndPublish')}
        </Button>
      )}
      <Button
        variant={mayPublish ? 'default' : 'filled'}
        loading={saving === 'save'}
        disabled={saving === 'publish'}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={() => void work.save(false)}
      >
        {t('form.save')}
      </Button>
      {work.dirty && (
        <Button variant="subtle" onClick={() => void discard()}>
          {t('pages.draft.discard')}
        </Button>
      )}
      <DraftStatus draft={draft} />
    </div>
  )
}

/** Copies the other language's text into an empty one. */
function StartWithCopy({ work }: { work: PageEditor }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const from = page.locale === 'nl' ? 'fa' : 'nl'
  const copy = useMutation({
    mutationFn: () => queries.fetchQuery(pageQuery(page.id, from)),
    onSuccess: ({ text }) => work.fill({ ...text, slug: work.text.slug || text.slug }),
    onError: (error) => notifyFailure(t('pages.notCopied'), error),
  })
  return (
    <Alert title={t(`pages.begin.${page.locale}`)}>
      <p className="flush">{t('pages.begin.text')}</p>
      <Button variant="default" mt="sm" loading={copy.isPending} onClick={() => copy.mutate()}>
        {t(`pages.begin.copy_${from}`)}
      </Button>
    </Alert>
  )
}

/** Each language has its own form and is saved and published separately. */
function LanguageTabs({ id, locale }: { id: number; locale: Locale }) {
  const t = useText()
  return (
    <nav aria-label={t('pages.languages')}>
      <ul className={styles.languages}>
        {locales.map((one) => (
          <li key={one}>
            <Link
              to="/admin/pages/$id/$locale"
              params={{ id: String(id), locale: one }}
              lang={one}
              {...(one === locale && { 'aria-current': 'page' })}
            >
              {localeNames[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
