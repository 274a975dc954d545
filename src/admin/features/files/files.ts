import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fileKinds } from '../../../contract/file-types.ts'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { FileLibrary, FileWithUsages, fileSorts, StoredFile } from '../../../contract/files.ts'
import type { ListOf } from '../../../contract/list.ts'
import { intlTagOf, type Locale } from '../../../contract/locales.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import type { TFunction } from '../../i18n.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'
import { releaseLocalImage } from './local-images.ts'

/** Any one of these rights allows viewing files. */
export const fileReadRights = ['files.write', 'pages.write'] as const satisfies Right[]

const sorts = ['createdAt', 'name', 'bytes'] as const satisfies (typeof fileSorts)[number][]

/** The search parameters of the list's URL. */
export const readFileSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  sort: parseParameter.sort(parameters.sort, sorts),
  search: parseParameter.text(parameters.search),
  kind: parseParameter.oneOf(parameters.kind, fileKinds),
  folder: parseParameter.text(parameters.folder),
}))
export type FileSearch = ReturnType<typeof readFileSearch>

const pageSize = 48

export const filesQuery = (search: FileSearch) =>
  queryOptions({
    queryKey: ['files', 'list', search],
    queryFn: async (): Promise<ListOf<StoredFile>> => {
      const list: ListOf<StoredFile> = await parseResponse(api.files.$get({ query: apiQuery({ ...search, pageSize }) }))
      releaseResized(list.data)
      return list
    },
    placeholderData: keepPreviousData,
    // Polls while an image is being resized.
    refetchInterval: pollWhile(({ data }) => data.some(isWaiting), 1_500),
  })

/** Releases the local copy of each uploaded image once the server has resized it. */
function releaseResized(files: readonly StoredFile[]): void {
  const resized = files.filter(({ picture }) => picture && picture.sources.length > 0)
  for (const publicId of resized.flatMap(({ url }) => publicFileIdsIn(url))) releaseLocalImage(publicId)
}

export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['files', 'one', id],
    queryFn: async (): Promise<FileWithUsages> => parseResponse(api.files[':id'].$get({ param: { id: String(id) } })),
    refetchInterval: pollWhile(isWaiting, 1_500),
  })

/** The folders, the upload limits, and how much of the quota is used. */
export const fileLibraryQuery = queryOptions({
  queryKey: ['files', 'choices'],
  queryFn: async (): Promise<FileLibrary> => parseResponse(api.files.choices.$get()),
})

/** Whether the user may crop the file: not an animated image, nor one that is still being resized. */
export const mayCrop = (file: StoredFile) =>
  file.can.change && !file.animated && file.whole !== null && file.picture !== null && file.picture.sources.length > 0

const isWaiting = ({ state }: StoredFile) => state === 'waiting'

/** A file size like `340 kB`, where 1 kB is 1000 bytes. */
export function formatFileSize(bytes: number, t: TFunction, locale: Locale): string {
  if (bytes < 1_000) return t('files.bytes', { bytes })
  if (bytes < 999_500) return t('files.kilobytes', { kilobytes: Math.round(bytes / 1_000) })
  const megabytes = new Intl.NumberFormat(intlTagOf(locale), { maximumFractionDigits: 1 })
  return t('files.megabytes', { megabytes: megabytes.format(bytes / 1_000_000) })
}
