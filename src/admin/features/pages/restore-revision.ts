import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageInLocale } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { pageQuery, revisionsQuery } from './pages.ts'

interface Restoring {
  revision: number
  version: number
  /** The way back needs no way back. */
  undoing?: boolean
  /** Visitors see it again too. */
  publish?: boolean
}

/** Brings back what a page said once, as a new version; visitors see it when it is published. Over what somebody saved meanwhile it is refused. */
export function useRestoreRevision({ id, locale }: Pick<PageInLocale, 'id' | 'locale'>) {
  const t = useText()
  const queries = useQueryClient()
  const restore = useMutation({
    /** What stood last comes with it, for the way back. */
    async mutationFn({ revision, version, publish }: Restoring) {
      const param = { id: String(id), locale }
      const { data } = await queries.fetchQuery({ ...revisionsQuery(id, locale, {}), staleTime: 0 })
      const restored: PageInLocale = await answer(
        api.pages[':id'][':locale'].revisions[':revision'].restore.$post({
          param: { ...param, revision: String(revision) },
          json: { version },
        }),
      )
      if (!publish) return { now: restored, before: data[0]?.id }
      const published: PageInLocale = await answer(
        api.pages[':id'][':locale'].publish.$post({ param, json: { version: restored.version } }),
      )
      return { now: published, before: undefined }
    },
    onSuccess({ now, before }, { undoing, publish }) {
      queries.setQueryData(pageQuery(id, locale).queryKey, now)
      const back = () => before && restore.mutate({ revision: before, version: now.version, undoing: true })
      tell(t(publish ? 'pages.history.restoredLive' : 'pages.history.restored'), undoing || !before ? undefined : back)
    },
    onError: (error) => tellFailure(t('pages.history.notRestored'), error),
    onSettled: () =>
      Promise.all(['revisions', 'list', 'one'].map((key) => queries.invalidateQueries({ queryKey: ['pages', key] }))),
  })
  return restore
}
