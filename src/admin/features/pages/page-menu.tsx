import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { PageInLocale } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { ask } from '../../components/dialog.tsx'
import { lazyPart, openWhenLoaded, usePreload } from '../../components/lazy-part.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import type { MenuAction } from '../blocks/action-menu.tsx'
import { usePageActions } from './page-actions.tsx'
import type { PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'

const ScheduleDialog = lazyPart(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

/** What can be done with the open page besides saving it. */
export function usePageMenu(work: PageEditor): { actions: MenuAction[]; dialog: ReactNode } {
  const t = useText()
  const navigate = useNavigate()
  const { page } = work
  const [scheduling, setScheduling] = useState(false)
  usePreload([ScheduleDialog])
  const { duplicate, moveToTrash, busy } = usePageActions()
  const unpublish = useUnpublish(work)
  const some = { id: page.id, title: page.text.title || t('pages.untitled') }
  const mayUnpublish = page.can.publish && page.path !== null && !(page.fixed && page.locale === 'nl')
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
        run: () => void openWhenLoaded(ScheduleDialog, () => setScheduling(true)),
      }),
      ...when(page.can.change, { label: t('pages.duplicate'), run: busy ? undefined : () => duplicate(some) }),
      ...when(page.can.change && work.dirty, { label: t('pages.draft.discard'), run: () => void discard() }),
      ...when(mayUnpublish, { label: t('pages.unpublish'), run: () => void unpublish(), danger: true }),
      ...when(page.can.delete, {
        label: t('pages.moveToTrash'),
        run: busy
          ? undefined
          : () => void moveToTrash(some, () => navigate({ to: '/admin/pages', ignoreBlocker: true })),
        danger: true,
      }),
    ],
    dialog: scheduling && <ScheduleDialog work={work} close={() => setScheduling(false)} />,
  }
}

/** @returns a function that asks first */
function useUnpublish(work: PageEditor): () => Promise<void> {
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
  return async () => {
    const sure = await ask({
      title: t('pages.unpublishQuestion'),
      text: t('pages.unpublishText'),
      yes: t('pages.unpublish'),
      danger: true,
    })
    if (sure) unpublish.mutate()
  }
}
