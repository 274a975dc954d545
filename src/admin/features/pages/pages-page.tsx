import { useSearch } from '@tanstack/react-router'
import { CornerDownRight, Plus, Trash2, Unlink } from 'lucide-react'
import { LinkButton } from '../../components/buttons.tsx'
import { usePreload } from '../../components/lazy-part.tsx'
import { Page } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { PageList } from './page-list.tsx'
import { noCollection, pageReadRights } from './pages.ts'

/** The screen that is opened from here most often, to preload it. */
const pageEditor = {
  load: () => import('./page-page.tsx').then(({ loadVisualEditor }) => loadVisualEditor()),
}

/** The list of pages; the trash is a view of the same list. */
export function PagesPage() {
  const t = useText()
  const maySee = useRight(...pageReadRights)
  const mayWrite = useRight('pages.write')
  usePreload(mayWrite ? [pageEditor] : [], 300)
  const search = useSearch({ from: '/admin/pages' })
  const { collection } = search
  if (search.bin) {
    return (
      <Page
        title={t('pages.trash')}
        lead={t('pages.trashLead')}
        back={{ to: '/admin/pages', label: t('pages.title') }}
        allowed={maySee}
      >
        <PageList key="bin" search={search} />
      </Page>
    )
  }
  return (
    <Page
      title={t('pages.title')}
      lead={t('pages.lead')}
      allowed={maySee}
      actions={
        <>
          <LinkButton to="/admin/redirects" leftSection={<CornerDownRight className="flip-in-rtl" />}>
            {t('redirects.title')}
          </LinkButton>
          <LinkButton to="/admin/links" leftSection={<Unlink />}>
            {t('links.title')}
          </LinkButton>
          <LinkButton to="/admin/pages" search={{ bin: true }} leftSection={<Trash2 />}>
            {t('pages.trash')}
          </LinkButton>
          {mayWrite && (
            <LinkButton
              variant="filled"
              to="/admin/pages/new"
              search={collection && collection !== noCollection ? { collection } : {}}
              leftSection={<Plus />}
            >
              {t('pages.add')}
            </LinkButton>
          )}
        </>
      }
    >
      <PageList key="pages" search={search} />
    </Page>
  )
}
