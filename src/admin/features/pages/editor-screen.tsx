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
import { EditorFrameContext, type EditorScreenFrame } from '../blocks/canvas-tools.ts'
import { DraftFailure } from '../drafts/draft-notices.tsx'
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
/** Loaded before a screen with a recoverable draft is shown, so that nothing is typed before the question. */
export const DraftQuestion = lazyPart(async () => (await import('../drafts/draft-question.tsx')).DraftQuestion)
const PageSettings = lazyPart(async () => (await import('./page-settings.tsx')).PageSettings)

/** The fields of a page that are edited in its settings. */
const settingsFields = ['slug', 'seoTitle', 'description', 'picture', 'noindex'] as const

/** The screen that edits a page in one language. @param props.recoverableDraft found when the page was opened */
export function EditorScreen(props: { page: PageInLocale; recoverableDraft: RecoverableDraft | undefined }) {
  const { page } = props
  const t = useText()
  const editor = usePageEditor(page)
  const accessibilityCheck = useAccessibilityCheck()
  /** Until it is loaded, replaced or discarded. */
  const [offer, setOffer] = useState(props.recoverableDraft)
  const settings = useSettingsDrawer()
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null)
  const closeSettings = useLatest(settings.close)
  const selectBlock = useRef<EditorScreenFrame['selectBlock']>(undefined)
  const frame = useMemo(
    () => ({
      bar: toolbar,
      closeSettings: () => closeSettings.current(),
      selectBlock: (block: string, field?: string) => selectBlock.current?.(block, field),
      registerSelectBlock(registered: typeof selectBlock.current) {
        selectBlock.current = registered
      },
    }),
    [toolbar, closeSettings],
  )
  const { draft, failure, stale, problems } = editor
  const presence = usePresence(page.id, page.locale, editor.autosave.tabId, page.version)
  const isReadOnly = !page.can.change
  usePreload([MergeConflicts])
  useEffect(() => (editor.dirty ? registerUnsavedWork() : undefined), [editor.dirty])
  // `[]` and `true`: also in form fields and in rich text, where Mantine ignores hotkeys by default.
  useHotkeys(isReadOnly ? [] : [['mod+S', () => void (stale || editor.save(false))]], [], true)
  const title = `${editor.text.title || t('pages.untitled')} · ${languageName(page.locale)}`
  useEffect(() => {
    document.title = title
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another failure moves the focus
  useEffect(() => {
    const settingsOpened = settingsFields.some((field) => problems[field]) ? settings.show() : Promise.resolve()
    if (failure && Object.keys(problems).length > 0) void settingsOpened.then(() => focusFirstError())
  }, [failure])
  return (
    <PageLocksProvider editor={editor}>
      <div className={styles.screen}>
        {/* Changes stored in the browser survive leaving; changes in memory do not. */}
        <UnsavedChangesGuard when={draft.phase === 'failed' && !draft.storedLocally} />
        <EditorBar
          editor={editor}
          accessibilityCheck={accessibilityCheck}
          recoverableDraft={offer}
          setToolbar={setToolbar}
          settingsOpen={settings.open}
          setSettingsOpen={(open) => (open ? void settings.show(document.activeElement) : settings.close())}
        />
        <div className={styles.notices}>
          {offer && <DraftQuestion offer={offer} editor={editor} onDone={() => setOffer(undefined)} />}
          <OtherEditors presence={presence} />
          {isReadOnly && <Alert>{t('pages.readOnly')}</Alert>}
          {page.hiddenBy && <Alert>{t(`pages.hidden.${page.hiddenBy}`)}</Alert>}
          {page.version === 0 && !isReadOnly && !editor.dirty && <CopyFromLanguage editor={editor} />}
          <SavedMeanwhile page={page} version={editor.baseVersion} />
          <DraftFailure draft={draft} retry={() => editor.autosave.retry()} />
          {!isReadOnly && <LockNotice />}
          {failure && <SaveFailure title={t('pages.notSaved')} {...failure} />}
          <ReviewNotice editor={editor} />
        </div>
        <div className={styles.work}>
          <EditorFrameContext value={frame}>
            {isReadOnly ? (
              <div className={styles.body} data-way="list">
                <ReadOnlyPage text={editor.text} contentLocale={page.locale} collection={page.collection} />
              </div>
            ) : (
              <BodySection editor={editor} />
            )}
            {settings.open && (
              <PageSettings
                editor={editor}
                accessibilityCheck={accessibilityCheck}
                takesFocus={settings.opener !== undefined}
                close={() => {
                  settings.close()
                  const button = document.querySelector<HTMLElement>('[aria-controls="instellingen"]')
                  const focused = settings.opener ?? button
                  focused?.focus()
                }}
              />
            )}
          </EditorFrameContext>
        </div>
        {stale && <MergeConflicts key={stale.page.version} {...stale} contentLocale={page.locale} />}
      </div>
    </PageLocksProvider>
  )
}

/** Whether the settings are open: remembered on a wide screen; on a narrow one, where they cover the page, not. */
function useSettingsDrawer() {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [remembered, setRemembered] = useRemembered('etalage.editor.settings', ['open', 'folded'], () => 'folded')
  const [isCovering, setIsCovering] = useState(false)
  /** The element that had the focus when the user opened them; undefined unless the user did so on this screen. */
  const [opener, setOpener] = useState<HTMLElement>()
  const setOpen = (open: boolean) => (isWide ? setRemembered(open ? 'open' : 'folded') : setIsCovering(open))
  return {
    open: isWide ? remembered === 'open' : isCovering,
    opener,
    show: (focused?: Element | null) =>
      openWhenLoaded(PageSettings, () => {
        setOpener(focused instanceof HTMLElement ? focused : undefined)
        setOpen(true)
      }),
    close() {
      setOpener(undefined)
      setOpen(false)
    },
  }
}

/** For a page without a text in this language: offers to copy that in the main language, or in another one. */
function CopyFromLanguage({ editor }: { editor: PageEditor }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = editor
  const languageIn = useLanguageIn()
  const { data } = useQuery(listedPageQuery(page.id))
  const main = useMainLocale()
  const candidates = data ? [main, ...Object.keys(data.texts)] : []
  const source = candidates.find((locale) => data?.texts[locale] && locale !== page.locale)
  const copy = useMutation({
    mutationFn: (locale: Locale) => queries.fetchQuery(pageQuery(page.id, locale)),
    onSuccess: ({ text }) => editor.fill({ ...text, slug: editor.text.slug || text.slug }),
    onError: (error) => notifyFailure(t('pages.notCopied'), error),
  })
  return (
    <Alert title={t('pages.begin.title', { language: languageIn(page.locale) })}>
      <p className="flush">{t('pages.begin.text')}</p>
      {source !== undefined && (
        <Button mt="sm" loading={copy.isPending} onClick={() => copy.mutate(source)}>
          {t('pages.begin.copyOf', { language: languageIn(source) })}
        </Button>
      )}
    </Alert>
  )
}
