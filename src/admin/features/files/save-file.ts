import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FileWithPlaces, StoredFile } from '../../../contract/files.ts'
import { answer, api } from '../../client.ts'
import { tell } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { bodyOf, type FileValues } from './file-values.ts'
import { fileQuery } from './files.ts'

export function useSaveFile(file: StoredFile) {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: FileValues; version: number | undefined }): Promise<StoredFile> =>
      answer(api.files[':id'].$put({ param: { id: String(file.id) }, json: bodyOf(values, file, version) })),
    onSuccess(saved) {
      tell(t('files.saved'))
      showSaved(queries, saved)
    },
  })
}

/** Where it stands has not changed by it. */
export function showSaved(queries: QueryClient, saved: StoredFile): void {
  queries.setQueryData(fileQuery(saved.id).queryKey, (before: FileWithPlaces | undefined) =>
    before ? { ...before, ...saved } : before,
  )
  void queries.invalidateQueries({ queryKey: ['files', 'list'] })
  void queries.invalidateQueries({ queryKey: ['files', 'choices'] })
}
