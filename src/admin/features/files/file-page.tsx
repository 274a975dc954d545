import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Replace } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FileWithUsages, StoredFile } from '../../../contract/files.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { DeleteButton, RecordPage } from '../../components/record-page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { FileForm } from './file-form.tsx'
import { fileQuery, fileReadRights } from './files.ts'
import { updateFileCache } from './save-file.ts'
import { sendFile } from './upload-queue.ts'

export function FilePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/files/$id' })
  const maySee = useRight(...fileReadRights)
  const query = useQuery({ ...fileQuery(Number(id)), enabled: maySee })
  return (
    <RecordPage
      query={query}
      maySee={maySee}
      nameOf={(file) => file.name}
      title={t('files.edit')}
      back={{ to: '/admin/files', label: t('files.title') }}
      actions={(file) =>
        file.can.change && (
          <>
            <ReplaceFile file={file} />
            <DeleteFile file={file} />
          </>
        )
      }
    >
      {(file) => <FileForm key={file.id} file={file} />}
    </RecordPage>
  )
}

/** The delete button, disabled while the file is in use; the tooltip says so. */
function DeleteFile({ file }: { file: FileWithUsages }) {
  const t = useText()
  const name = <bdi>{file.name}</bdi>
  const isUsed = file.places.length > 0
  return (
    <DeleteButton
      type={t(file.kind === 'picture' ? 'files.types.image' : 'files.types.other')}
      text={<Translated text="files.deleteText" name={name} />}
      remove={() => parseResponse(api.files[':id'].$delete({ param: { id: String(file.id) } }))}
      deleted={<Translated text="files.deleted" name={name} />}
      notDeleted={t('files.notDeleted')}
      list="/admin/files"
      queryKey={fileQuery(file.id).queryKey}
      staleKeys={['files']}
      disabled={isUsed}
      title={isUsed ? t('files.inUse') : undefined}
    />
  )
}

/** A button to replace the content of a file by another one; usages of the file stay. */
function ReplaceFile({ file }: { file: StoredFile }) {
  const t = useText()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState(0)
  const replace = useMutation({
    mutationFn: (replacement: File) =>
      sendFile({
        method: 'PUT',
        path: `/files/${file.id}/content?version=${file.version}`,
        file: replacement,
        signal: new AbortController().signal,
        onProgress: setPercent,
      }),
    onSuccess(saved) {
      notify(<Translated text="files.replaced" name={<bdi>{saved.name}</bdi>} />)
      updateFileCache(queries, saved)
    },
    onError(error) {
      notifyFailure(t('files.notReplaced'), withFieldMessage(error))
      // Loads the version for the next attempt: the file was changed meanwhile, or only the response was lost.
      void queries.invalidateQueries({ queryKey: fileQuery(file.id).queryKey })
    },
  })
  const confirmAndReplace = async (replacement: File | undefined) => {
    if (!replacement) return
    setPercent(0)
    const isConfirmed = await confirmInDialog({
      title: t('files.replaceQuestion'),
      text: <Translated text="files.replaceText" name={<bdi>{file.name}</bdi>} next={<bdi>{replacement.name}</bdi>} />,
      yes: t('files.replaceYes'),
    })
    if (isConfirmed) replace.mutate(replacement)
  }
  return (
    <>
      <Button
        leftSection={<Replace />}
        // Not `disabled`: the focus returns to it when the dialog closes.
        aria-disabled={replace.isPending}
        data-disabled={replace.isPending || undefined}
        onClick={() => replace.isPending || input.current?.click()}
      >
        {replace.isPending ? t('files.replacing', { percent }) : t('files.replace')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('files.replace')}
        onChange={(event) => {
          const [replacement] = event.currentTarget.files ?? []
          // Emptied, so that choosing the same file again is a change.
          event.currentTarget.value = ''
          void confirmAndReplace(replacement)
        }}
      />
    </>
  )
}

/** Returns an API refusal with the message of its first field error as its detail, and another error unchanged. */
function withFieldMessage(error: unknown): unknown {
  if (!(error instanceof ApiRefusal)) return error
  const fieldMessage = error.problem.errors[0]?.message
  return fieldMessage ? new ApiRefusal({ ...error.problem, detail: fieldMessage }) : error
}
