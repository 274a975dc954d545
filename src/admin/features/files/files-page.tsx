import { useSearch } from '@tanstack/react-router'
import type { ListOf } from '../../../contract/list.ts'
import { isPastTheEnd, Pager, RedirectToLastPage, useSearchChange } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { FileList } from './file-list.tsx'
import { type FileSearch, fileReadRights } from './files.ts'
import { UploadArea, useUploads } from './upload-area.tsx'

export function FilesPage() {
  const t = useText()
  const mayWrite = useRight('files.write')
  return (
    <Page title={t('files.title')} lead={t('files.lead')} allowed={useRight(...fileReadRights)}>
      {mayWrite ? <FilesWithUploads /> : <Files />}
    </Page>
  )
}

/** The list with an upload area, which uploads into the folder of the filter. */
function FilesWithUploads() {
  const { folder } = useSearch({ from: '/admin/files' })
  return (
    <UploadArea uploads={useUploads()} folder={folder} linked>
      <Files />
    </UploadArea>
  )
}

function Files() {
  const search = useSearch({ from: '/admin/files' })
  const change = useSearchChange<FileSearch>('/admin/files')
  const renderPager = (list: ListOf<unknown>, isPlaceholderData: boolean) => {
    if (!isPastTheEnd(list)) return <Pager meta={list.meta} />
    return <RedirectToLastPage meta={list.meta} isPlaceholderData={isPlaceholderData} />
  }
  return <FileList search={search} change={change} renderPager={renderPager} />
}
