import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Locale, languageName } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { isApiRefusal } from '../../client.ts'
import { NotFound, Page } from '../../components/page.tsx'
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { findRecoverableDraft, isOnServer } from '../drafts/recoverable-draft.ts'
import { listAbandonedDrafts, localDrafts } from '../drafts/tab-drafts.ts'
import { useMe, useRight } from '../sign-in/me.ts'
import { loadVisualEditor, preloadVisualEditor } from './body-section.tsx'
import styles from './editor-screen.module.css'
import { DraftQuestion, EditorScreen } from './editor-screen.tsx'
import { usePageActions } from './page-actions.tsx'
import { draftQuery, pageQuery, pageReadRights, readLocale } from './pages.ts'

// With the screen: a chunk of their own would be smaller than its headers.
export { loadVisualEditor, preloadVisualEditor }

export function PagePage() {
  const { id, locale } = useParams({ from: '/admin/pages/$id/$locale' })
  const pageLocale = readLocale(locale)
  // Each page and language has its own editor state.
  return <PageEditorLoader key={`${id}/${pageLocale}`} id={Number(id)} locale={pageLocale} />
}

/** Loads the page, and shows its editor, or what there is instead: the trash, an error. */
function PageEditorLoader({ id, locale }: { id: number; locale: Locale }) {
  const t = useText()
  const maySee = useRight(...pageReadRights)
  const { openedAt } = useLoaderData({ from: '/admin/pages/$id/$locale' })
  // Cached data may lack a draft that was just written, so only data from after the opening is used.
  const { data, error, refetch, dataUpdatedAt, isFetchedAfterMount } = useQuery({
    ...pageQuery(id, locale),
    enabled: maySee,
    refetchOnMount: ({ state }) => (state.dataUpdatedAt >= openedAt ? false : 'always'),
  })
  const [isFresh, setIsFresh] = useState(false)
  if (!isFresh && (isFetchedAfterMount || dataUpdatedAt >= openedAt)) setIsFresh(true)
  const page = isFresh ? data : undefined
  if (isApiRefusal(error, 'not_found') && !page) {
    return (
      <div className={styles.apart}>
        <NotFound />
      </div>
    )
  }
  if (page && !page.deletedAt) return <EditorWithDraft page={page} />
  return (
    <div className={styles.apart}>
      <Page
        title={data ? `${data.text.title || t('pages.untitled')} · ${languageName(locale)}` : t('pages.page')}
        heading={data ? <bdi>{data.text.title || t('pages.untitled')}</bdi> : t('pages.page')}
        back={{ to: '/admin/pages', label: t('pages.title') }}
        allowed={maySee}
      >
        {page ? (
          <TrashedPage page={page} title={page.text.title || t('pages.untitled')} />
        ) : (
          <LoadingOrError error={error} refetch={refetch} rows={6} />
        )}
      </Page>
    </div>
  )
}

/** Renders the editor once it is known whether there is a recoverable draft, and the question about it is loaded. */
function EditorWithDraft({ page }: { page: PageInLocale }) {
  const me = useMe()
  const { id, locale } = page
  const draftKey = { user: me.id, page: id, locale }
  const { data, error, refetch } = useQuery({
    queryKey: ['pages', 'offered', id, locale, me.id],
    queryFn: async ({ client }) => {
      const [draft, abandoned] = await Promise.all([
        page.draft ? client.fetchQuery(draftQuery(id, locale)).catch(ignoreNotFound) : undefined,
        listAbandonedDrafts(draftKey),
        // On failure the editor loads it again, and shows the error.
        loadVisualEditor().catch(() => {}),
      ])
      // The tab was closed before the server answered. Once the page has changed, this copy would be offered again. Without
      // locks, it may belong to a tab that is still open.
      for (const { editor, text } of abandoned)
        if ('locks' in navigator && isOnServer(text, page, draft)) void localDrafts.remove(draftKey, editor)
      const recoverable = findRecoverableDraft(page, draft, abandoned)
      // The same: an error is shown in its place.
      if (recoverable) await DraftQuestion.load().catch(() => {})
      return { recoverable: recoverable ?? null }
    },
    enabled: page.can.change,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (page.can.change && !data) {
    return (
      <div className={styles.apart}>
        <LoadingOrError error={error} refetch={refetch} rows={6} />
      </div>
    )
  }
  return <EditorScreen page={page} recoverableDraft={data?.recoverable ?? undefined} />
}

function ignoreNotFound(error: unknown): undefined {
  if (!isApiRefusal(error, 'not_found')) throw error
}

function TrashedPage({ page, title }: { page: PageInLocale; title: string }) {
  const t = useText()
  const mayWrite = useRight('pages.write')
  const { restore } = usePageActions()
  return (
    <Empty
      icon={Trash2}
      title={t('pages.inTrash')}
      text={t('pages.inTrashText')}
      action={
        mayWrite && (
          <Button variant="filled" onClick={() => restore({ id: page.id, title })}>
            {t('pages.restore')}
          </Button>
        )
      }
    />
  )
}
