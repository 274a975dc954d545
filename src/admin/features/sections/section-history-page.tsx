import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { languageName } from '../../../contract/locales.ts'
import type { Section } from '../../../contract/sections.ts'
import { api, isApiRefusal, parseResponse } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { NotFound, Page } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import type { HistoryView } from '../pages/history-entry.tsx'
import { HistoryEntries } from '../pages/history-page.tsx'
import { pageReadRights, readLocale } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import { putSection, sectionHistory, sectionQuery } from './sections.ts'

/** The history of a section in one language, with differences and restore. */
export function SectionHistoryPage() {
  const t = useText()
  const params = useParams({ from: '/admin/sections/$section/$locale/history' })
  const [id, locale] = [params.section, readLocale(params.locale)]
  const search = useSearch({ from: '/admin/sections/$section/$locale/history' })
  const maySee = useRight(...pageReadRights)
  const { data: section, error, refetch } = useQuery({ ...sectionQuery(id), enabled: maySee })
  const restore = useRestoreRevision(section, locale)
  if (isApiRefusal(error, 'not_found')) return <NotFound />
  const sectionLink = { to: '/admin/sections/$section', params: { section: id } } as const
  return (
    <Page
      title={section ? `${t('pages.history.title')}: ${section.name}` : t('pages.history.title')}
      lead={section && `${section.name} · ${languageName(locale)}`}
      heading={t('pages.history.title')}
      back={{ to: `/admin/sections/${id}`, label: t('blocks.sections.backTo') }}
      allowed={maySee}
      narrow
    >
      {section ? (
        <HistoryEntries
          history={{ ...sectionHistory(id, locale), blocksOnly: true, ...(section.can.change && { restore }) }}
          search={search}
          emptyText={t('blocks.sections.historyEmpty')}
          back={
            <LinkButton variant="filled" {...sectionLink}>
              {t('blocks.sections.backTo')}
            </LinkButton>
          }
        />
      ) : (
        <LoadingOrError error={error} refetch={refetch} rows={5} />
      )}
    </Page>
  )
}

/** Restores the blocks of a language, which visitors see at once. Refused if somebody else saved meanwhile. */
function useRestoreRevision(section: Section | undefined, locale: string): HistoryView['restore'] {
  const t = useText()
  const queries = useQueryClient()
  const saveAndUpdateCache = async (save: () => Promise<Section>) => {
    const saved = await save()
    queries.setQueryData(sectionQuery(saved.id).queryKey, saved)
    await queries.invalidateQueries({ queryKey: ['preview-data'] })
    return saved
  }
  const onError = (error: unknown) => notifyFailure(t('pages.history.notRestored'), error)
  const onSettled = () =>
    Promise.all(['revisions', 'list', 'one'].map((key) => queries.invalidateQueries({ queryKey: ['sections', key] })))
  return {
    async mutationFn(revision) {
      if (!section) return
      const { id, version } = section
      const saved = await saveAndUpdateCache(() =>
        parseResponse(
          api.sections[':id'][':locale'].revisions[':revision'].restore.$post({
            param: { id, locale, revision: String(revision) },
            json: { version },
          }),
        ),
      )
      const undo = () =>
        saveAndUpdateCache(() => putSection(id, section, saved.version))
          .then(() => notify(t('blocks.sections.undone')), onError)
          .finally(onSettled)
      // The same version means that the restored blocks were the current ones.
      notify(t('blocks.sections.restored'), saved.version === version ? undefined : () => void undo())
    },
    onError,
    onSettled,
  }
}
