import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { FileWithPlaces } from '../../../contract/files.ts'
import { answer, api, isRefused } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { fileQuery } from './files.ts'

/** What is in use stays; why, the button says. */
export function DeleteFile({ file }: { file: FileWithPlaces }) {
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const name = <bdi>{file.name}</bdi>
  const remove = useMutation({
    mutationFn: () => answer(api.files[':id'].$delete({ param: { id: String(file.id) } })),
    async onSuccess() {
      tell(<Said text="files.deleted" name={name} />)
      await navigate({ to: '/admin/files', ignoreBlocker: true })
      queries.removeQueries({ queryKey: fileQuery(file.id).queryKey })
      void queries.invalidateQueries({ queryKey: ['files'] })
    },
    onError(error) {
      tellFailure(t('files.notDeleted'), error)
      // It is in use since this screen was made: now one sees where.
      if (isRefused(error, 'file_in_use')) void queries.invalidateQueries({ queryKey: fileQuery(file.id).queryKey })
    },
  })
  const askFirst = async () => {
    const sure = await ask({
      title: t('form.deleteQuestion', {
        type: t(file.kind === 'picture' ? 'files.types.picture' : 'files.types.other'),
      }),
      text: <Said text="files.deleteText" name={name} />,
      yes: t('form.delete'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
  const used = file.places.length > 0
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<Trash2 size={18} aria-hidden />}
      disabled={used}
      title={used ? t('files.inUse') : undefined}
      loading={remove.isPending}
      onClick={() => void askFirst()}
    >
      {t('form.delete')}
    </Button>
  )
}
