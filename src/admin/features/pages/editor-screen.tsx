import { Alert, Button } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Locale, languageName } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import { focusFirstError, SaveFailure } from '../../components/form.tsx'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { useRemembered } from '../../components/remembered.ts'
import { useLanguageIn, useText } from '../../i18n.ts'
import { registerUnsavedWork } from '../../new-version.ts'
import { useMainLocale } from '../../site-languages.ts'
import { EditorFrame, type EditorScreenFrame } from '../blocks/canvas-tools.ts'
import { DraftFailure, DraftQuestion } from '../drafts/draft-notices.tsx'
import { OtherEditors, SavedMeanwhile, usePresence } from '../drafts/presence.tsx'
import type { RecoverableDraft } from '../drafts/recoverable-draft.ts'
import { useAccessibilityCheck } from './accessibility.tsx'
import { BodySection } from './body-section.tsx'
import { EditorBar } from './editor-bar.tsx'
import styles from './editor-screen.module.css'
import { LockNotice, PageLocksProvider } from './locks.tsx'
import { MergeConflicts, type PageEditor, usePageEditor } from './page-editor.ts'
import { listedPageQuery, pageQuery } from './pages.ts'
import { ReviewNotice } from './review.tsx'

const ReadOnlyPage = lazyPart(async () => (await import('./page-text-view.tsx')).PageTextView)
const PageSettings = lazyPart(async () => (await import('./page-settings.tsx')).PageSettings)

/** The fields of the settings, by their names in the page. */
const settingsFields = ['slug', 'seoTitle', 'description', 'picture', 'noindex'] as const

/** The whole window for a page in one language: the bar, notices, the page, and its settings. */
export function EditorScreen({ page, offered }: { page: PageInLocale; offered: RecoverableDraft | undefined }) {
  const t = useText()
  const work = usePageEditor(page)
  const check = useAccessibilityCheck()
  const [offer, setOffer] = useState(offered)
  const settings = useSettingsDrawer()
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const closeSettings = useLatest(settings.close)
  const selectBlock = useRef<EditorScreenFrame['selectBlock']>(undefined)
  const frame = useMemo(
    () => ({
      bar,
      closeSettings: () => closeSettings.current(),
      selectBlock: (...wanted: Parameters<EditorScreenFrame['selectBlock']>) => selectBlock.current?.(...wanted),
      registerSelectBlock(next: typeof selectBlock.current) {
        selectBlock.current = next
      },
    }),
    [bar, closeSettings],
  )
  const { draft, failure, stale, problems } = work
  const presence = usePresence(page.id, page.locale, work.autosave.tabId, page.version)
  const fixed = !page.can.change
  usePreload([MergeConflicts])
  useEffect(() => (work.dirty ? registerUnsavedWork() : undefined), [work.dirty])
  // Also in rich text, which is no field for Mantine.
  useHotkeys(fixed ? [] : [['mod+S', () => void (stale || work.save(false))]], [], true)
  const title = `${work.text.title || t('pages.untitled')} · ${languageName(page.locale)}`
  useEffect(() => {
    document.title = title
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another refusal moves the focus
  useEffect(() => {
    const shown = settingsFields.some((field) => problems[field]) ? settings.show() : Promise.resolve()
    if (failure && Object.keys(problems).length > 0) void shown.then(() => focusFirstError())
  }, [failure])
  return (
    <PageLocksProvider work={work}>
      <div className={styles.screen}>
        {/* Changes stored in the browser survive leaving; changes in memory do not. */}
        <UnsavedChangesGuard when={draft.phase === 'failed' && !draft.storedLocally} />
        <EditorBar
          work={work}
          check={check}
          offer={offer}
          setTools={setBar}
          settingsOpen={settings.open}
          setSettingsOpen={(open) => (open ? void settings.show(document.activeElement) : settings.close())}
        />
        <div className={styles.notices}>
          {offer && <DraftQuestion offer={offer} work={work} over={() => setOffer(undefined)} />}
          <OtherEditors presence={presence} />
          {fixed && <Alert>{t('pages.readOnly')}</Alert>}
          {page.hiddenBy && <Alert>{t(`pages.hidden.${page.hiddenBy}`)}</Alert>}
          {page.version === 0 && !fixed && !work.dirty && <StartWithCopy work={work} />}
          <SavedMeanwhile page={page} version={work.baseVersion} />
          <DraftFailure draft={draft} retry={() => work.autosave.retry()} />
          {!fixed && <LockNotice />}
          {failure && <SaveFailure key={failure.count} title={t('pages.notSaved')} {...failure} />}
          <ReviewNotice work={work} />
        </div>
        <div className={styles.work}>
          <EditorFrame value={frame}>
            {fixed ? (
              <div className={styles.body} data-way="list">
                <ReadOnlyPage text={work.text} contentLocale={page.locale} collection={page.collection} />
              </div>
            ) : (
              <BodySection work={work} />
            )}
            {settings.open && (
              <PageSettings
                work={work}
                check={check}
                byUser={settings.opener !== undefined}
                close={() => {
                  settings.close()
                  const back = settings.opener ?? document.querySelector<HTMLElement>('[aria-controls="instellingen"]')
                  back?.focus()
                }}
              />
            )}
          </EditorFrame>
        </div>
        {stale && <MergeConflicts key={stale.page.version} {...stale} locale={page.locale} />}
      </div>
    </PageLocksProvider>
  )
}

/** The settings beside the page, which are remembered; on a narrow screen they cover it, and are closed at first. */
function useSettingsDrawer() {
  const beside = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [remembered, remember] = useRemembered('etalage.editor.settings', ['open', 'folded'], () => 'folded')
  const [covering, setCovering] = useState(false)
  /** The element from which the user opened them. */
  const [opener, setOpener] = useState<HTMLElement>()
  const set = (open: boolean) => (beside ? remember(open ? 'open' : 'folded') : setCovering(open))
  return {
    open: beside ? remembered === 'open' : covering,
    opener,
    show: (from?: Element | null) =>
      openWhenLoaded(PageSettings, () => {
        setOpener(from instanceof HTMLElement ? from : undefined)
        set(true)
      }),
    close() {
      setOpener(undefined)
      set(false)
    },
  }
}

/** Copies the other language's text into an empty one. */
function StartWithCopy({ work }: { work: PageEditor }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const languageIn = useLanguageIn()
  const { data } = useQuery(listedPageQuery(page.id))
  const main = useMainLocale()
  const from = data && [main, ...Object.keys(data.texts)].find((one) => data.texts[one] && one !== page.locale)
  const copy = useMutation({
    mutationFn: (from: Locale) => queries.fetchQuery(pageQuery(page.id, from)),
    onSuccess: ({ text }) => work.fill({ ...text, slug: work.text.slug || text.slug }),
    onError: (error) => notifyFailure(t('pages.notCopied'), error),
  })
  return (
    <Alert title={t('pages.begin.title', { language: languageIn(page.locale) })}>
      <p className="flush">{t('pages.begin.text')}</p>
      {from !== undefined && (
        <Button mt="sm" loading={copy.isPending} onClick={() => copy.mutate(from)}>
          {t('pages.begin.copyOf', { language: languageIn(from) })}
        </Button>
      )}
    </Alert>
  )
}
