import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { NoRight } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { FileList } from './file-list.tsx'
import { type FileSearch, toSeeFiles } from './files.ts'
import { UploadArea } from './upload-area.tsx'
import { useUploads } from './use-uploads.ts'

export function FilesPage() {
  const t = useText()
  const maySee = useRight(...toSeeFiles)
  const mayWrite = useRight('files.write')
  return (
    <Page title={t('files.title')} lead={t('files.lead')}>
      {!maySee && <NoRight />}
      {maySee && (mayWrite ? <WithUploads /> : <Files />)}
    </Page>
  )
}

/** What is uploaded while one looks into a folder is put into it. */
function WithUploads() {
  const { folder } = useSearch({ from: '/admin/files' })
  return (
    <UploadArea work={useUploads()} folder={folder}>
      <Files />
    </UploadArea>
  )
}

function Files() {
  const search = useSearch({ from: '/admin/files' })
  const navigate = useNavigate({ from: '/admin/files' })
  const change = (changes: Partial<FileSearch>) => {
    if (!isAt('/admin/files')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }
  return <FileList search={search} change={change} pager={(meta) => <Pager meta={meta} />} />
}
