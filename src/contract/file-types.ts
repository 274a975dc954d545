/** The kinds of files. The database stores the position in this list, counted from one: only append. */
export const fileKinds = ['picture', 'document', 'video', 'audio', 'archive'] as const
export type FileKind = (typeof fileKinds)[number]

const officeXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** The types that may be uploaded, as detected from the content, with their file extension. */
const fileTypes: Record<string, { ending: string; also?: string[]; kind: FileKind } | undefined> = {
  'image/jpeg': { ending: 'jpg', also: ['jpeg', 'jfif', 'jpe'], kind: 'picture' },
  'image/png': { ending: 'png', kind: 'picture' },
  'image/webp': { ending: 'webp', kind: 'picture' },
  'image/gif': { ending: 'gif', kind: 'picture' },
  'image/avif': { ending: 'avif', kind: 'picture' },
  'image/svg+xml': { ending: 'svg', kind: 'picture' },
  'application/pdf': { ending: 'pdf', kind: 'document' },
  [`${officeXml}.wordprocessingml.document`]: { ending: 'docx', kind: 'document' },
  [`${officeXml}.spreadsheetml.sheet`]: { ending: 'xlsx', kind: 'document' },
  [`${officeXml}.presentationml.presentation`]: { ending: 'pptx', kind: 'document' },
  [`${openDocument}.text`]: { ending: 'odt', kind: 'document' },
  [`${openDocument}.spreadsheet`]: { ending: 'ods', kind: 'document' },
  [`${openDocument}.presentation`]: { ending: 'odp', kind: 'document' },
  'video/mp4': { ending: 'mp4', also: ['m4v'], kind: 'video' },
  'video/webm': { ending: 'webm', kind: 'video' },
  'video/quicktime': { ending: 'mov', kind: 'video' },
  'audio/mpeg': { ending: 'mp3', kind: 'audio' },
  'audio/mp4': { ending: 'm4a', kind: 'audio' },
  'audio/x-m4a': { ending: 'm4a', kind: 'audio' },
  'audio/ogg': { ending: 'ogg', also: ['oga'], kind: 'audio' },
  'audio/wav': { ending: 'wav', kind: 'audio' },
  'application/zip': { ending: 'zip', kind: 'archive' },
}

export const svgType = 'image/svg+xml'

export const fileTypeOf = (type: string) => fileTypes[type]

/** The types of resized images, by file extension. */
export const imageTypesByExtension: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}
