import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Configuration } from '../../../contract/configuration.ts'
import { deepEqual } from '../../../contract/deep-equal.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { ListedPage, RestoredPage } from '../../../contract/pages.ts'
import { api, parseAs, parseResponse } from '../../client.ts'
import { IconButton } from '../../components/buttons.tsx'
import { confirmInDialog } from '../../components/dialog.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText, withTexts } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { configQuery } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'

const RemovalChoices = lazyPart(
  withTexts(['config', 'redirects'], async () => (await import('./removal-choices.tsx')).RemovalChoices),
)

interface PageRef {
  id: number
  title: string
}

interface Removal {
  page: PageRef
  /** Whether its items in the menus are removed too. */
  fromMenu: boolean
  /** Whether the addresses of a deleted page answer 410 (gone) instead of 404. */
  gone: boolean
  onDone?: (() => unknown) | undefined
}

/**
 * @returns a function that asks before a page is unpublished, trashed or deleted. It warns of links to the page, and
 * offers to remove it from the menus if the user may change those. Undefined: the user declined.
 */
export function useConfirmRemoval() {
  const t = useText()
  const mayChangeMenu = useRight('config.write')
  const main = useMainLocale()
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  /** Undefined on failure: the question is then asked without a warning. */
  const findPageWithLinks = async (id: number) =>
    parseResponse(api.pages[':id'].$get({ param: { id: String(id) } })).catch(() => undefined)
  /** @param page.locale the language to unpublish; omitted: all. @param page.isDeletion offers to answer 410 (gone) */
  return async (
    page: { id: number; locale?: Locale; isDeletion?: boolean },
    question: { title: string; text: ReactNode; yes: string },
  ): Promise<{ fromMenu: boolean; gone: boolean } | undefined> => {
    const { id, locale, isDeletion = false } = page
    let gone = false
    const [pageWithLinks] = await Promise.all([findPageWithLinks(id), RemovalChoices.load().catch(() => {})])
    // Links are usually written with the path in the main language.
    const linkTitles = locale === undefined || locale === main ? (pageWithLinks?.linkTitles ?? []) : []
    const isInMenu = pageWithLinks?.inMenus.some((menu) => locale === undefined || menu === locale) ?? false
    let fromMenu = isInMenu && mayChangeMenu && isDeletion
    const isConfirmed = await confirmInDialog({
      ...question,
      text: (
        <>
          {question.text}
          {linkTitles.length > 0 && (
            <>
              {' '}
              <Translated text="pages.trashLinked" links={<bdi>{list.format(linkTitles)}</bdi>} />
            </>
          )}
          {isInMenu && linkTitles.length === 0 && <> {t(isDeletion ? 'pages.menu.stillThere' : 'pages.menu.there')}</>}
        </>
      ),
      danger: true,
      input: (
        <RemovalChoices
          id={id}
          locale={locale}
          {...(isDeletion && {
            onGone: (isChecked: boolean) => {
              gone = isChecked
            },
          })}
          {...(isInMenu &&
            mayChangeMenu && {
              fromMenu,
              onFromMenu: (isChecked: boolean) => {
                fromMenu = isChecked
              },
            })}
        />
      ),
    })
    return isConfirmed ? { fromMenu, gone } : undefined
  }
}

/** The parts of the configuration from which a page was removed: as they were, and as they are in `version`. */
interface MenuChange {
  version: number
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface Restoration {
  page: PageRef
  /** Undone with the restoration. */
  menuChange?: MenuChange | undefined
}

/** The change of the parts that can have menu items; undefined if there is none. */
function findMenuChange(before: Configuration, after: Configuration): MenuChange | undefined {
  const changed = (['menus', 'branding'] as const).filter((part) => !deepEqual(before.config[part], after.config[part]))
  if (changed.length === 0) return undefined
  return { version: after.version, before: pickParts(before, changed), after: pickParts(after, changed) }
}

/** A part that the configuration lacks is null, which removes it when it is sent to the API. */
const pickParts = ({ config }: Configuration, parts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(parts.map((part) => [part, config[part as keyof Configuration['config']] ?? null]))

/** The query of a request that unpublishes, trashes or deletes a page. */
export const menuRemovalQuery = (fromMenu: boolean) => (fromMenu ? { fromMenu: 'true' as const } : {})

/** Actions on a page in all its languages. `busy` while a page is being duplicated or trashed. */
export function usePageActions() {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const main = useMainLocale()
  const invalidate = () =>
    Promise.all(
      ['pages', 'redirects', 'config', 'preview-data'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    )
  const readConfig = () => queries.fetchQuery({ ...configQuery, staleTime: 0 })
  /** Refused as stale, by its old version, when the menus were changed since. Other parts may have changed. */
  const undoMenuChange = async (change: MenuChange) => {
    const current = await readConfig()
    const isUnchanged = deepEqual(pickParts(current, Object.keys(change.after)), change.after)
    const version = isUnchanged ? current.version : change.version
    await parseAs(api.config.$put({ json: { version, config: change.before } }))
  }
  const param = ({ id }: PageRef) => ({ param: { id: String(id) } })
  const titleOf = ({ title }: PageRef): ReactNode => <bdi>{title}</bdi>
  const confirmRemoval = useConfirmRemoval()

  const duplicateMutation = useMutation({
    mutationFn: (page: PageRef): Promise<ListedPage> => parseResponse(api.pages[':id'].duplicate.$post(param(page))),
    onSuccess(copy, page) {
      notify(<Translated text="pages.duplicated" name={titleOf(page)} />)
      const locale = copy.texts[main] ? main : (Object.keys(copy.texts)[0] ?? main)
      return navigate({ to: '/admin/pages/$id/$locale', params: { id: String(copy.id), locale } })
    },
    onError: (error) => notifyFailure(t('pages.notDuplicated'), error),
    onSettled: invalidate,
  })
  const restoreMutation = useMutation({
    mutationFn: ({ page }: Restoration): Promise<RestoredPage> =>
      parseResponse(api.pages[':id'].restore.$post(param(page))),
    async onSuccess({ renamed: [firstRenamed], unplanned }, { page, menuChange }) {
      if (menuChange)
        await undoMenuChange(menuChange).catch((error) => notifyFailure(t('pages.menu.notPutBack'), error))
      const newSlug = firstRenamed && <bdi dir="ltr">/{firstRenamed.to}</bdi>
      notify(
        <>
          {newSlug ? (
            <Translated text="pages.restoredRenamed" name={titleOf(page)} to={newSlug} />
          ) : (
            <Translated text="pages.restored" name={titleOf(page)} />
          )}
          {unplanned.length > 0 && ` ${t('pages.unscheduled')}`}
        </>,
      )
    },
    onError: (error) => notifyFailure(t('pages.notRestored'), error),
    onSettled: invalidate,
  })
  const trashMutation = useMutation({
    async mutationFn({ page, fromMenu }: Removal): Promise<MenuChange | undefined> {
      const before = fromMenu ? await readConfig() : undefined
      await parseResponse(api.pages[':id'].bin.$post({ ...param(page), query: menuRemovalQuery(fromMenu) }))
      if (!before) return undefined
      // The page is in the trash already: if reading fails, undo restores the page without its menu items.
      return readConfig().then(
        (after) => findMenuChange(before, after),
        () => undefined,
      )
    },
    async onSuccess(menuChange, { page, onDone }) {
      notify(<Translated text="pages.trashed" name={titleOf(page)} />, () =>
        restoreMutation.mutate({ page, menuChange }),
      )
      await onDone?.()
    },
    onError: (error) => notifyFailure(t('pages.notTrashed'), error),
    onSettled: invalidate,
  })
  const deleteMutation = useMutation({
    mutationFn: async ({ page, fromMenu, gone }: Removal): Promise<void> => {
      const query = { ...menuRemovalQuery(fromMenu), ...(gone && { gone: 'true' as const }) }
      await parseResponse(api.pages[':id'].$delete({ ...param(page), query }))
    },
    onSuccess: (_done, { page }) => notify(<Translated text="pages.deleted" name={titleOf(page)} />),
    onError: (error) => notifyFailure(t('pages.notDeleted'), error),
    onSettled: invalidate,
  })
  return {
    duplicate: (page: PageRef) => duplicateMutation.mutate(page),
    restore: (page: PageRef) => restoreMutation.mutate({ page }),
    /** @param onDone called when the page is in the trash */
    async moveToTrash(page: PageRef, onDone?: () => unknown) {
      const removal = await confirmRemoval(page, {
        title: t('form.deleteQuestion', { type: t('pages.type') }),
        text: <Translated text="pages.trashText" name={titleOf(page)} />,
        yes: t('pages.moveToTrash'),
      })
      if (removal) trashMutation.mutate({ page, onDone, ...removal })
    },
    async deletePage(page: PageRef) {
      const removal = await confirmRemoval(
        { ...page, isDeletion: true },
        {
          title: t('form.deleteQuestion', { type: t('pages.type') }),
          text: <Translated text="pages.deleteText" name={titleOf(page)} />,
          yes: t('form.delete'),
        },
      )
      if (removal) deleteMutation.mutate({ page, ...removal })
    },
    busy: duplicateMutation.isPending || trashMutation.isPending,
  }
}

export function RowActions({ page, title }: { page: ListedPage; title: string }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  const { duplicate, moveToTrash, restore, deletePage } = usePageActions()
  const pageRef = { id: page.id, title }
  if (page.deletedAt) {
    return (
      <>
        {mayWrite && (
          <IconButton
            label={t('pages.restoreOne', { name: title })}
            icon={<Undo2 className="flip-in-rtl" />}
            onClick={() => restore(pageRef)}
          />
        )}
        {page.can.delete && (
          <IconButton
            label={t('pages.deleteOne', { name: title })}
            icon={<Trash2 />}
            className="danger"
            color="red"
            onClick={() => void deletePage(pageRef)}
          />
        )}
      </>
    )
  }
  return (
    <>
      {mayWrite && (
        <IconButton
          label={t('pages.duplicateOne', { name: title })}
          icon={<Copy />}
          color="gray"
          onClick={() => duplicate(pageRef)}
        />
      )}
      {page.can.delete && (
        <IconButton
          label={t('pages.trashOne', { name: title })}
          icon={<Trash2 />}
          color="gray"
          onClick={() => void moveToTrash(pageRef)}
        />
      )}
    </>
  )
}
