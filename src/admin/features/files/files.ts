import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type FileKind, fileKinds } from '../../../contract/file-types.ts'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { FileLibrary, FileWithUsages, fileSorts, StoredFile } from '../../../contract/files.ts'
import type { ListOf } from '../../../contract/list.ts'
import { intlTagOf, type Locale } from '../../../contract/locales.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import type { TFunction } from '../../i18n.ts'
import { parseParameter } from '../../search.ts'
import { releaseLocalImage } from './local-images.ts'

/** Any one of these rights allows viewing files. */
export const fileReadRights = ['files.write', 'pages.write'] as const satisfies Right[]

type Sort = (typeof fileSorts)[number]
const sorts = ['createdAt', 'name', 'bytes'] as const satisfies readonly Sort[]
const bothWays = sorts.flatMap((sort) => [sort, `-${sort}` as const])

/** The search parameters of the list's URL. */
export interface FileSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
  kind?: FileKind | undefined
  folder?: string | undefined
}

export const parseFileSearch = (found: Record<string, unknown>): FileSearch => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.oneOf(found.sort, bothWays),
  search: parseParameter.text(found.search),
  kind: parseParameter.oneOf(found.kind, fileKinds),
  folder: parseParameter.text(found.folder),
})

const pageSize = 48

export const filesQuery = (search: FileSearch) =>
  queryOptions({
    queryKey: ['files', 'list', search],
    queryFn: async (): Promise<ListOf<StoredFile>> => {
      const list: ListOf<StoredFile> = await parseResponse(api.files.$get({ query: apiQuery(search) }))
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

const apiQuery = ({ page, sort, search, kind, folder }: FileSearch) => ({
  pageSize: String(pageSize),
  ...(page && { page: String(page) }),
  ...(sort && { sort }),
  ...(search && { search }),
  ...(kind && { kind }),
  ...(folder && { folder }),
})

export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['files', 'one', id],
    queryFn: async (): Promise<FileWithUsages> => parseResponse(api.files[':id'].$get({ param: { id: String(id) } })),
    refetchInterval: pollWhile(isWaiting, 1_500),
  })

/** The folders, the upload limits, and the used part of the quota. */
export const fileLibraryQuery = queryOptions({
  queryKey: ['files', 'choices'],
  queryFn: async (): Promise<FileLibrary> => parseResponse(api.files.choices.$get()),
})

/** An animated image or one that is still being resized cannot be cropped. */
export const mayCrop = (file: StoredFile) =>
  file.can.change && !file.animated && file.whole !== null && file.picture !== null && file.picture.sources.length > 0

const isWaiting = ({ state }: StoredFile) => state === 'waiting'

/** `340 kB`: in units of a thousand, as operating systems show it. */
export function formatFileSize(bytes: number, t: TFunction, locale: Locale): string {
  if (bytes < 1_000) return t('files.bytes', { bytes })
  if (bytes < 999_500) return t('files.kilobytes', { kilobytes: Math.round(bytes / 1_000) })
  const megabytes = new Intl.NumberFormat(intlTagOf(locale), { maximumFractionDigits: 1 })
  return t('files.megabytes', { megabytes: megabytes.format(bytes / 1_000_000) })
}
