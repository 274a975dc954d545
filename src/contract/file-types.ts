/** The kinds of files. The database stores the position in this list, from 1, so new kinds only go at the end. */
export const fileKinds = ['picture', 'document', 'video', 'audio', 'archive'] as const
export type FileKind = (typeof fileKinds)[number]

const officeXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** The media types that may be uploaded, detected from the content, each with its file extension. */
const fileTypes: Record<string, { extension: string; otherExtensions?: string[]; kind: FileKind } | undefined> = {
  'image/jpeg': { extension: 'jpg', otherExtensions: ['jpeg', 'jfif', 'jpe'], kind: 'picture' },
  'image/png': { extension: 'png', kind: 'picture' },
  'image/webp': { extension: 'webp', kind: 'picture' },
  'image/gif': { extension: 'gif', kind: 'picture' },
  'image/avif': { extension: 'avif', kind: 'picture' },
  'image/svg+xml': { extension: 'svg', kind: 'picture' },
  'application/pdf': { extension: 'pdf', kind: 'document' },
  [`${officeXml}.wordprocessingml.document`]: { extension: 'docx', kind: 'document' },
  [`${officeXml}.spreadsheetml.sheet`]: { extension: 'xlsx', kind: 'document' },
  [`${officeXml}.presentationml.presentation`]: { extension: 'pptx', kind: 'document' },
  [`${openDocument}.text`]: { extension: 'odt', kind: 'document' },
  [`${openDocument}.spreadsheet`]: { extension: 'ods', kind: 'document' },
  [`${openDocument}.presentation`]: { extension: 'odp', kind: 'document' },
  'video/mp4': { extension: 'mp4', otherExtensions: ['m4v'], kind: 'video' },
  'text/vtt': { extension: 'vtt', kind: 'document' },
  'video/webm': { extension: 'webm', kind: 'video' },
  'video/quicktime': { extension: 'mov', kind: 'video' },
  'audio/mpeg': { extension: 'mp3', kind: 'audio' },
  'audio/mp4': { extension: 'm4a', kind: 'audio' },
  'audio/x-m4a': { extension: 'm4a', kind: 'audio' },
  'audio/ogg': { extension: 'ogg', otherExtensions: ['oga'], kind: 'audio' },
  'audio/wav': { extension: 'wav', kind: 'audio' },
  'application/zip': { extension: 'zip', kind: 'archive' },
}

export const svgType = 'image/svg+xml'

/** The extension and kind of a media type; undefined when it may not be uploaded. */
export const fileTypeOf = (type: string) => fileTypes[type]

/** The media types of resized images, by file extension. */
export const imageTypesByExtension: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}
