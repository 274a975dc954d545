import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { PageInLocale } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText, withTexts } from '../../i18n.ts'
import type { MenuAction } from '../blocks/action-menu.tsx'
import { useRight } from '../sign-in/me.ts'
import { menuRemovalQuery, useConfirmRemoval, usePageActions } from './page-actions.tsx'
import type { PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'

const importAddToMenu = withTexts(['config'], () => import('./add-to-menu.tsx'))
const AddToMenu = lazyPart(async () => (await importAddToMenu()).AddToMenu)
const ScheduleDialog = lazyPart(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

/** What can be done with the open page besides saving it. */
export function usePageMenu(work: PageEditor): { actions: MenuAction[]; dialog: ReactNode } {
  const t = useText()
  const navigate = useNavigate()
  const { page } = work
  const [open, setOpen] = useState<'schedule' | 'menu'>()
  const close = () => setOpen(undefined)
  const mayChangeMenu = useRight('config.write')
  usePreload([ScheduleDialog])
  const { duplicate, moveToTrash, busy } = usePageActions()
  const unpublish = useUnpublish(work)
  const some = { id: page.id, title: page.text.title || t('pages.untitled') }
  const discard = async () => {
    try {
      const thrown = await work.discard()
      notify(t('pages.draft.discarded'), () => work.change(thrown))
    } catch (error) {
      notifyFailure(t('pages.draft.notDiscarded'), error)
    }
  }
  const when = (shown: boolean, action: MenuAction) => (shown ? [action] : [])
  return {
    actions: [
      ...when(page.can.publish, {
        label: t('pages.schedule.open'),
        run: () => void openWhenLoaded(ScheduleDialog, () => setOpen('schedule')),
      }),
      ...when(mayChangeMenu && page.version > 0, {
        label: t('pages.menu.add'),
        run: () => void openWhenLoaded(AddToMenu, () => setOpen('menu')),
      }),
      ...when(page.can.change, { label: t('pages.duplicate'), run: busy ? undefined : () => duplicate(some) }),
      ...when(page.can.change && work.dirty, { label: t('pages.draft.discard'), run: () => void discard() }),
      ...when(page.can.unpublish && page.path !== null, {
        label: t('pages.unpublish'),
        run: () => void unpublish(),
        danger: true,
      }),
      ...when(page.can.delete, {
        label: t('pages.moveToTrash'),
        run: busy
          ? undefined
          : () => void moveToTrash(some, () => navigate({ to: '/admin/pages', ignoreBlocker: true })),
        danger: true,
      }),
    ],
    dialog: (
      <>
        {open === 'schedule' && <ScheduleDialog work={work} close={close} />}
        {open === 'menu' && <AddToMenu page={page} close={close} />}
      </>
    ),
  }
}

/** @returns a function that asks first */
function useUnpublish(work: PageEditor): () => Promise<void> {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
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
    onSuccess(now) {
      work.updateCache(now)
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
    const sure = await confirmRemoval(page, {
      title: t('pages.unpublishQuestion'),
      text: t('pages.unpublishText'),
      yes: t('pages.unpublish'),
    })
    if (sure) unpublish.mutate(sure)
  }
}
