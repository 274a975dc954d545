import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isRefused } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { DeleteFile } from './delete-file.tsx'
import { FileForm } from './file-form.tsx'
import { fileQuery, toSeeFiles } from './files.ts'
import { ReplaceFile } from './replace-file.tsx'

/** One file: what it looks like, what is said of it, where it stands. */
export function FilePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/files/$id' })
  const maySee = useRight(...toSeeFiles)
  const { data: file, error, refetch } = useQuery({ ...fileQuery(Number(id)), enabled: maySee })
  if (isRefused(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={file?.name ?? t('files.edit')}
      heading={file ? <bdi>{file.name}</bdi> : t('files.edit')}
      back={{ to: '/admin/files', label: t('files.title') }}
      actions={
        file?.can.change && (
          <>
            <ReplaceFile file={file} />
            <DeleteFile file={file} />
          </>
        )
      }
    >
      {!maySee && <NoRight />}
      {maySee && !file && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={5} />)}
      {file && <FileForm key={file.id} file={file} />}
    </Page>
  )
}
