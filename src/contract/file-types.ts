/** What a file is for; its place in this list, counted from one, is what the database holds. Only ever add at the end. */
export const fileKinds = ['picture', 'document', 'video', 'audio', 'archive'] as const
export type FileKind = (typeof fileKinds)[number]

const officeXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Every type that may be uploaded, as its content tells it, with the ending that its name gets. */
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

export const drawingType = 'image/svg+xml'

export const fileTypeOf = (type: string) => fileTypes[type]

/** For the field with which a browser chooses files. */
export const acceptedTypes = Object.fromEntries(
  Object.entries(fileTypes).map(([type, known]) => [
    type,
    [known?.ending, ...(known?.also ?? [])].map((ending) => `.${ending}`),
  ]),
)

/** The widths of a picture, by the ending of their names. */
export const pictureTypes: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}
