import { Button, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarClock, ChevronLeft, Eye, Settings2 } from 'lucide-react'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { IconButton } from '../../components/buttons.tsx'
import { Help } from '../../components/help.tsx'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText, withTexts } from '../../i18n.ts'
import { useContentDirection, useSiteLanguages } from '../../site-languages.ts'
import { ActionMenu, type MenuAction } from '../blocks/action-menu.tsx'
import { DraftStatus } from '../drafts/draft-notices.tsx'
import { usePreviewLink } from '../drafts/preview-link.tsx'
import type { RecoverableDraft } from '../drafts/recoverable-draft.ts'
import { useRight } from '../sign-in/me.ts'
import { type AccessibilityCheck, confirmAccessible } from './accessibility.tsx'
import styles from './editor-bar.module.css'
import { menuRemovalQuery, useConfirmRemoval, usePageActions } from './page-actions.tsx'
import { StateBadge } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'
import { OfferForReview } from './review.tsx'

const exampleTextWarning = { load: () => import('./confirm-example-text.tsx') }

/**
 * The bar of the editor: the back link, the title, the languages, the tools of the page, and saving. On a narrow
 * screen saving is at the end of the screen, and the rest is in the menu.
 */
export function EditorBar(props: {
  editor: PageEditor
  accessibilityCheck: AccessibilityCheck
  /** The draft that was found when the page was opened, until it is loaded, replaced or discarded. */
  recoverableDraft: RecoverableDraft | undefined
  /** Receives the element in which the block editor renders its tools. */
  setToolbar: Ref<HTMLDivElement>
  settingsOpen: boolean
  setSettingsOpen: (open: boolean) => void
}) {
  const { editor, accessibilityCheck, recoverableDraft, setToolbar, settingsOpen, setSettingsOpen } = props
  const t = useText()
  const { page, text } = editor
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const preview = usePreviewLink(editor, recoverableDraft)
  const menu = usePageMenu(editor)
  const previewAction = { label: t('pages.preview.make'), run: preview.make }
  const settingsAction = { label: t('pages.settings.open'), run: () => setSettingsOpen(!settingsOpen) }
  const narrowActions = page.can.change ? [previewAction, settingsAction] : [settingsAction]
  const actions = isWide ? menu.actions : [...narrowActions, ...menu.actions]
  return (
    <header className={styles.bar}>
      <Link to="/admin/pages" className={styles.back}>
        <ChevronLeft className="flip-in-rtl" size={20} />
        <span>{t('pages.title')}</span>
      </Link>
      <div className={styles.titled}>
        <h1 className="visually-hidden">
          <bdi>{text.title || t('pages.untitled')}</bdi>
        </h1>
        <div data-page-field="title">
          <TextInput
            aria-label={t('pages.fields.title')}
            title={t('pages.titleHelp')}
            placeholder={t('pages.untitled')}
            dir={useContentDirection(page.locale)}
            lang={page.locale}
            required
            disabled={!page.can.change}
            error={editor.problems.title}
            value={text.title}
            onChange={(event) => editor.change({ title: event.currentTarget.value })}
          />
        </div>
        <div className={styles.meta}>
          <StateBadge state={page.state} size="sm" />
          {(page.publishAt || page.unpublishAt) && <CalendarClock size={16} aria-label={t('pages.statuses.planned')} />}
          <DraftStatus draft={editor.draft} />
        </div>
      </div>
      <LanguageTabs id={page.id} locale={page.locale} />
      <div ref={setToolbar} className={styles.tools} />
      <div className={styles.more}>
        <Help />
        {isWide && page.can.change && (
          <IconButton
            label={t('pages.preview.make')}
            title={t('pages.preview.title')}
            icon={<Eye />}
            loading={preview.isPending}
            onClick={preview.make}
          />
        )}
        {isWide && (
          <IconButton
            label={t('pages.settings.open')}
            icon={<Settings2 />}
            aria-expanded={settingsOpen}
            aria-controls="instellingen"
            onClick={() => setSettingsOpen(!settingsOpen)}
          />
        )}
      </div>
      {page.can.change && (
        <SaveButtons
          editor={editor}
          accessibilityCheck={accessibilityCheck}
          showSettings={() => setSettingsOpen(true)}
        />
      )}
      <div>{actions.length > 0 && <ActionMenu label={t('pages.moreActions')} actions={actions} />}</div>
      {preview.dialog}
      {menu.dialog}
    </header>
  )
}

/** Saves the page, and publishes it or offers it for review. Saving alone does not change the published page. */
function SaveButtons(props: { editor: PageEditor; accessibilityCheck: AccessibilityCheck; showSettings: () => void }) {
  const { editor, accessibilityCheck, showSettings } = props
  const t = useText()
  const { page, saving } = editor
  usePreload([exampleTextWarning])
  const buttons = useRef<HTMLDivElement>(null)
  const save = async (andPublish: boolean) => {
    await editor.save(andPublish)
    // A button loses the focus while it is busy.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      buttons.current?.querySelector<HTMLElement>(andPublish ? ':scope > :last-child' : 'button')?.focus()
    })
  }
  const publish = async () => {
    // Only warnings: if they cannot be loaded, saving continues.
    const warning = await exampleTextWarning.load().catch(() => undefined)
    if (warning && !(await warning.confirmExampleText(editor))) return
    if (await confirmAccessible(editor, accessibilityCheck).catch(() => true)) await save(true)
    else showSettings()
  }
  return (
    <div className={styles.saving} ref={buttons}>
      <Button
        loading={saving === 'save'}
        disabled={saving === 'publish' || accessibilityCheck.isPending}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={() => void save(false)}
      >
        {t('form.save')}
      </Button>
      {page.can.publish ? (
        <Button
          variant="filled"
          loading={saving === 'publish' || accessibilityCheck.isPending}
          disabled={saving === 'save'}
          onClick={() => void publish()}
        >
          {t('pages.saveAndPublish')}
        </Button>
      ) : (
        <OfferForReview editor={editor} />
      )}
    </div>
  )
}

/** Each language has its own screen and is saved and published separately. */
function LanguageTabs({ id, locale: currentLocale }: { id: number; locale: Locale }) {
  const t = useText()
  return (
    <nav className={styles.languages} aria-label={t('pages.languages')}>
      <ul>
        {useSiteLanguages().map(({ locale, name }) => (
          <li key={locale}>
            <Link
              to="/admin/pages/$id/$locale"
              params={{ id: String(id), locale }}
              lang={locale}
              title={name}
              {...(locale === currentLocale && { 'aria-current': 'page' })}
            >
              <span aria-hidden>{locale}</span>
              <span className="visually-hidden">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const importAddToMenu = withTexts(['config'], () => import('./add-to-menu.tsx'))
const AddToMenu = lazyPart(async () => (await importAddToMenu()).AddToMenu)
const draftDiscard = { load: () => import('../drafts/draft-question.tsx') }
const ScheduleDialog = lazyPart(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

/** The actions of the open page other than saving, and the dialog that one of them has opened. */
function usePageMenu(editor: PageEditor): { actions: MenuAction[]; dialog: ReactNode } {
  const t = useText()
  const navigate = useNavigate()
  const { page } = editor
  const [openDialog, setOpenDialog] = useState<'schedule' | 'addToMenu'>()
  const close = () => setOpenDialog(undefined)
  const mayChangeMenu = useRight('config.write')
  usePreload([ScheduleDialog, draftDiscard])
  const { duplicate, moveToTrash, busy } = usePageActions()
  const unpublish = useUnpublish(editor)
  const pageRef = { id: page.id, title: page.text.title || t('pages.untitled') }
  const discard = () =>
    draftDiscard
      .load()
      .then(({ discardDraft }) => discardDraft(editor, navigate))
      .catch((error) => notifyFailure(t('pages.draft.notDiscarded'), error))
  const actionIf = (isOffered: boolean, action: MenuAction) => (isOffered ? [action] : [])
  return {
    actions: [
      ...actionIf(page.can.publish, {
        label: t('pages.schedule.open'),
        run: () => void openWhenLoaded(ScheduleDialog, () => setOpenDialog('schedule')),
      }),
      ...actionIf(mayChangeMenu && page.version > 0, {
        label: t('pages.menu.add'),
        run: () => void openWhenLoaded(AddToMenu, () => setOpenDialog('addToMenu')),
      }),
      ...actionIf(page.can.change, { label: t('pages.duplicate'), run: busy ? undefined : () => duplicate(pageRef) }),
      ...actionIf(page.can.change && editor.dirty, { label: t('pages.draft.discard'), run: () => void discard() }),
      ...actionIf(page.can.unpublish && page.path !== null, {
        label: t('pages.unpublish'),
        run: () => void unpublish(),
        danger: true,
      }),
      ...actionIf(page.can.delete, {
        label: t('pages.moveToTrash'),
        run: busy
          ? undefined
          : () => void moveToTrash(pageRef, () => navigate({ to: '/admin/pages', ignoreBlocker: true })),
        danger: true,
      }),
    ],
    dialog: (
      <>
        {openDialog === 'schedule' && <ScheduleDialog editor={editor} close={close} />}
        {openDialog === 'addToMenu' && <AddToMenu page={page} close={close} />}
      </>
    ),
  }
}

/** @returns a function that unpublishes the page after a confirmation */
function useUnpublish(editor: PageEditor): () => Promise<void> {
  const t = useText()
  const queries = useQueryClient()
  const { page } = editor
  const confirmRemoval = useConfirmRemoval()
  const unpublish = useMutation({
    mutationFn: ({ fromMenu }: { fromMenu: boolean }): Promise<PageInLocale> =>
      parseResponse(
        api.pages[':id'][':locale'].unpublish.$post({
          param: { id: String(page.id), locale: page.locale },
          query: menuRemovalQuery(fromMenu),
          json: { version: page.version },
        }),
      ),
    onSuccess(saved) {
      editor.updateCache(saved)
      void queries.invalidateQueries({ queryKey: ['config'] })
      void queries.invalidateQueries({ queryKey: ['preview-data'] })
      notify(t('pages.unpublished'))
    },
    onError(error) {
      notifyFailure(t('pages.notUnpublished'), error)
      void queries.invalidateQueries({ queryKey: pageQuery(page.id, page.locale).queryKey })
    },
  })
  return async () => {
    const removal = await confirmRemoval(page, {
      title: t('pages.unpublishQuestion'),
      text: t('pages.unpublishText'),
      yes: t('pages.unpublish'),
    })
    if (removal) unpublish.mutate(removal)
  }
}
