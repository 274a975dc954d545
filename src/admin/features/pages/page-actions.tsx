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
  withTexts(['config'], async () => (await import('./removal-choices.tsx')).RemovalChoices),
)

interface PageRef {
  id: number
  title: string
}

interface Removal {
  page: PageRef
  /** Whether its items in the menus are removed too. */
  fromMenu: boolean
  /** Of a page that is deleted: whether its addresses answer that it is gone for good. */
  gone: boolean
  after?: (() => unknown) | undefined
}

/**
 * Asks before a page is taken off the site. It warns for the links to it, and offers to remove it from the menus where
 * the user may change those.
 */
export function useConfirmRemoval() {
  const t = useText()
  const mayChangeMenu = useRight('config.write')
  const main = useMainLocale()
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  /** A failure only costs the warning: the question is asked anyway. */
  const linksTo = async (id: number) =>
    parseResponse(api.pages[':id'].$get({ param: { id: String(id) } })).catch(() => undefined)
  /** @param of.locale the only language in which it is taken off */
  return async (
    of: { id: number; locale?: Locale; gone?: boolean },
    question: { title: string; text: ReactNode; yes: string },
  ): Promise<{ fromMenu: boolean; gone: boolean } | undefined> => {
    const { locale, gone = false } = of
    let answersGone = false
    const [found] = await Promise.all([linksTo(of.id), RemovalChoices.load().catch(() => {})])
    const links = locale === undefined || locale === main ? (found?.linkTitles ?? []) : []
    const inMenu = found?.inMenus.some((one) => locale === undefined || one === locale) ?? false
    let fromMenu = inMenu && mayChangeMenu && gone
    const sure = await confirmInDialog({
      ...question,
      text: (
        <>
          {question.text}
          {links.length > 0 && (
            <>
              {' '}
              <Translated text="pages.trashLinked" links={<bdi>{list.format(links)}</bdi>} />
            </>
          )}
          {inMenu && links.length === 0 && <> {t(gone ? 'pages.menu.stillThere' : 'pages.menu.there')}</>}
        </>
      ),
      danger: true,
      choice: (
        <RemovalChoices
          id={of.id}
          locale={locale}
          {...(gone && {
            onGone: (chosen: boolean) => {
              answersGone = chosen
            },
          })}
          {...(inMenu &&
            mayChangeMenu && {
              fromMenu,
              onFromMenu: (chosen: boolean) => {
                fromMenu = chosen
              },
            })}
        />
      ),
    })
    return sure ? { fromMenu, gone: answersGone } : undefined
  }
}

/** The parts of the configuration with menus, as they were, and what has replaced them in a version. */
interface ReplacedMenu {
  version: number
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface Restoration {
  page: PageRef
  /** Put back with the page. */
  menu?: ReplacedMenu | undefined
}

function replacedIn(before: Configuration, after: Configuration): ReplacedMenu | undefined {
  const parts = (['menus', 'branding'] as const).filter((part) => !deepEqual(before.config[part], after.config[part]))
  const replaced = { version: after.version, before: partsIn(before, parts), after: partsIn(after, parts) }
  return parts.length === 0 ? undefined : replaced
}

/** An optional part that is not there is null, which removes it again. */
const partsIn = ({ config }: Configuration, parts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(parts.map((part) => [part, config[part as keyof Configuration['config']] ?? null]))

/** The query of a request that takes a page off the site. */
export const menuRemovalQuery = (fromMenu: boolean) => (fromMenu ? { fromMenu: 'true' as const } : {})

/** Actions on a page in all its languages. */
export function usePageActions() {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const main = useMainLocale()
  const settle = () =>
    Promise.all(
      ['pages', 'redirects', 'config', 'preview-data'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    )
  const readConfig = () => queries.fetchQuery({ ...configQuery, staleTime: 0 })
  /** Other parts of the configuration may have changed since; the menus may not. */
  const putBack = async (menu: ReplacedMenu) => {
    const now = await readConfig()
    const isSame = deepEqual(partsIn(now, Object.keys(menu.after)), menu.after)
    const version = isSame ? now.version : menu.version
    await parseAs(api.config.$put({ json: { version, config: menu.before } }))
  }
  const param = ({ id }: PageRef) => ({ param: { id: String(id) } })
  const titleOf = ({ title }: PageRef): ReactNode => <bdi>{title}</bdi>
  const confirmRemoval = useConfirmRemoval()

  const duplicating = useMutation({
    mutationFn: (page: PageRef): Promise<ListedPage> => parseResponse(api.pages[':id'].duplicate.$post(param(page))),
    onSuccess(copy, page) {
      notify(<Translated text="pages.duplicated" name={titleOf(page)} />)
      const locale = copy.texts[main] ? main : (Object.keys(copy.texts)[0] ?? main)
      return navigate({ to: '/admin/pages/$id/$locale', params: { id: String(copy.id), locale } })
    },
    onError: (error) => notifyFailure(t('pages.notDuplicated'), error),
    onSettled: settle,
  })
  const restoring = useMutation({
    mutationFn: ({ page }: Restoration): Promise<RestoredPage> =>
      parseResponse(api.pages[':id'].restore.$post(param(page))),
    async onSuccess({ renamed: [first], unplanned }, { page, menu }) {
      if (menu) await putBack(menu).catch((error) => notifyFailure(t('pages.menu.notPutBack'), error))
      const to = first && <bdi dir="ltr">/{first.to}</bdi>
      notify(
        <>
          {to ? (
            <Translated text="pages.restoredRenamed" name={titleOf(page)} to={to} />
          ) : (
            <Translated text="pages.restored" name={titleOf(page)} />
          )}
          {unplanned.length > 0 && ` ${t('pages.unscheduled')}`}
        </>,
      )
    },
    onError: (error) => notifyFailure(t('pages.notRestored'), error),
    onSettled: settle,
  })
  const trashing = useMutation({
    async mutationFn({ page, fromMenu }: Removal): Promise<ReplacedMenu | undefined> {
      const before = fromMenu ? await readConfig() : undefined
      await parseResponse(api.pages[':id'].bin.$post({ ...param(page), query: menuRemovalQuery(fromMenu) }))
      // The page is in the trash: without the menu of now, undo restores the page alone.
      return (
        before &&
        readConfig().then(
          (now) => replacedIn(before, now),
          () => undefined,
        )
      )
    },
    async onSuccess(menu, { page, after }) {
      notify(<Translated text="pages.trashed" name={titleOf(page)} />, () => restoring.mutate({ page, menu }))
      await after?.()
    },
    onError: (error) => notifyFailure(t('pages.notTrashed'), error),
    onSettled: settle,
  })
  const removing = useMutation({
    mutationFn: async ({ page, fromMenu, gone }: Removal): Promise<void> => {
      const query = { ...menuRemovalQuery(fromMenu), ...(gone && { gone: 'true' as const }) }
      await parseResponse(api.pages[':id'].$delete({ ...param(page), query }))
    },
    onSuccess: (_done, { page }) => notify(<Translated text="pages.deleted" name={titleOf(page)} />),
    onError: (error) => notifyFailure(t('pages.notDeleted'), error),
    onSettled: settle,
  })
  return {
    duplicate: (page: PageRef) => duplicating.mutate(page),
    restore: (page: PageRef) => restoring.mutate({ page }),
    /** @param after called when the page is in the trash */
    async moveToTrash(page: PageRef, after?: () => unknown) {
      const sure = await confirmRemoval(page, {
        title: t('form.deleteQuestion', { type: t('pages.type') }),
        text: <Translated text="pages.trashText" name={titleOf(page)} />,
        yes: t('pages.moveToTrash'),
      })
      if (sure) trashing.mutate({ page, after, ...sure })
    },
    async remove(page: PageRef) {
      const sure = await confirmRemoval(
        { ...page, gone: true },
        {
          title: t('form.deleteQuestion', { type: t('pages.type') }),
          text: <Translated text="pages.deleteText" name={titleOf(page)} />,
          yes: t('form.delete'),
        },
      )
      if (sure) removing.mutate({ page, ...sure })
    },
    busy: duplicating.isPending || trashing.isPending,
  }
}

export function RowActions({ page, title }: { page: ListedPage; title: string }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  const { duplicate, moveToTrash, restore, remove } = usePageActions()
  const some = { id: page.id, title }
  if (page.deletedAt) {
    return (
      <>
        {mayWrite && (
          <IconButton
            label={t('pages.restoreOne', { name: title })}
            icon={<Undo2 className="flip-in-rtl" />}
            onClick={() => restore(some)}
          />
        )}
        {page.can.delete && (
          <IconButton
            label={t('pages.deleteOne', { name: title })}
            icon={<Trash2 />}
            className="danger"
            color="red"
            onClick={() => void remove(some)}
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
          onClick={() => duplicate(some)}
        />
      )}
      {page.can.delete && (
        <IconButton
          label={t('pages.trashOne', { name: title })}
          icon={<Trash2 />}
          color="gray"
          onClick={() => void moveToTrash(some)}
        />
      )}
    </>
  )
}
