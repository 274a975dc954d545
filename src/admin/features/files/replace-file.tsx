import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Replace } from 'lucide-react'
import { useRef, useState } from 'react'
import type { StoredFile } from '../../../contract/files.ts'
import { Refused } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { showSaved } from './save-file.ts'
import { sendFile } from './send-file.ts'

/** Another content for the same file: it stays wherever it stands. */
export function ReplaceFile({ file }: { file: StoredFile }) {
  const t = useText()
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState(0)
  const replace = useMutation({
    mutationFn: (next: File) =>
      sendFile({
        method: 'PUT',
        path: `/files/${file.id}/content?version=${file.version}`,
        file: next,
        signal: new AbortController().signal,
        onProgress: setPercent,
      }),
    onSuccess(saved) {
      tell(<Said text="files.replaced" name={<bdi>{saved.name}</bdi>} />)
      showSaved(queries, saved)
    },
    onError: (error) => tellFailure(t('files.notReplaced'), saidOf(error)),
  })
  const askFirst = async (next: File | undefined) => {
    if (!next) return
    setPercent(0)
    const sure = await ask({
      title: t('files.replaceQuestion'),
      text: <Said text="files.replaceText" name={<bdi>{file.name}</bdi>} next={<bdi>{next.name}</bdi>} />,
      yes: t('files.replaceYes'),
    })
    if (sure) replace.mutate(next)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<Replace size={18} aria-hidden />}
        disabled={replace.isPending}
        onClick={() => field.current?.click()}
      >
        {replace.isPending ? t('files.replacing', { percent }) : t('files.replace')}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('files.replace')}
        onChange={(event) => {
          const [next] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          void askFirst(next)
        }}
      />
    </>
  )
}

/** What is said of the file says more than that something was refused. */
function saidOf(error: unknown): unknown {
  const said = error instanceof Refused ? error.problem.errors[0]?.message : undefined
  return said && error instanceof Refused ? new Refused({ ...error.problem, detail: said }) : error
}
