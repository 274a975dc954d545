import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CropArea, FileWithUsages, StoredFile } from '../../../contract/files.ts'
import type { Locale } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'
import { notify } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { fileQuery } from './files.ts'
import { forgetLocalImages } from './local-images.ts'

export interface FileValues extends Record<string, unknown> {
  /** Without the extension, which users cannot change. */
  name: string
  folder: string
  /** By language. */
  alt: Record<Locale, string>
  focalX: number
  focalY: number
  /** Null: the whole image. */
  crop: CropArea | null
}

export const fileFormValues = (file: StoredFile | undefined): FileValues => ({
  name: stemOf(file?.name ?? ''),
  folder: file?.folder ?? '',
  alt: { ...file?.alt },
  focalX: file?.focal.x ?? 50,
  focalY: file?.focal.y ?? 50,
  crop: file?.crop ?? null,
})

const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')
/** The extension with its dot, or an empty string. */
export const extensionOf = (name: string) => name.slice(stemOf(name).length)

const toChangedFile = (values: FileValues, file: StoredFile, version: number | undefined) => ({
  name: `${values.name}${extensionOf(file.name)}`,
  folder: values.folder,
  alt: values.alt,
  focal: { x: values.focalX, y: values.focalY },
  crop: values.crop,
  ...(version !== undefined && { version }),
})

export function useSaveFile(file: StoredFile) {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: FileValues; version: number | undefined }): Promise<StoredFile> =>
      parseResponse(
        api.files[':id'].$put({ param: { id: String(file.id) }, json: toChangedFile(values, file, version) }),
      ),
    onSuccess(saved) {
      notify(t('files.saved'))
      updateFileCache(queries, saved)
    },
  })
}

/** Updates the cache with a saved file. The usages are kept, because the response of a save has none. */
export function updateFileCache(queries: QueryClient, saved: StoredFile): void {
  forgetLocalImages(saved.id)
  queries.setQueryData(fileQuery(saved.id).queryKey, (cached: FileWithUsages | undefined) =>
    cached ? { ...cached, ...saved } : cached,
  )
  void queries.invalidateQueries({ queryKey: ['files', 'list'] })
  void queries.invalidateQueries({ queryKey: ['files', 'choices'] })
  void queries.invalidateQueries({ queryKey: ['preview-data'] })
}
