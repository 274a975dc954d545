/** The URL of an upload: its public id identifies the file, and the name is for readers. */
export const fileUrl = (publicId: string, name: string) => `/files/${publicId}/${encodeURIComponent(name)}`

/** The file name in an upload's URL; any other URL is returned unchanged. */
export function fileNameFromUrl(url: string): string {
  const [, name] = /^\/files\/[0-9a-f]{32}\/(?:[^/]+\/)?([^/?#]+)/.exec(url) ?? []
  if (name === undefined) return url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The URL of an image in one width and type. The extension of the name is replaced by that of the type. */
export const resizedImageUrl = (publicId: string, width: number, name: string, extension: string) =>
  `/files/${publicId}/${width}/${encodeURIComponent(withExtension(name, extension))}`

export const withExtension = (name: string, extension: string) => `${name.replace(/\.[^.]*$/, '')}.${extension}`

/** The public ids in all URLs of uploads in a text, each once. */
export const publicFileIdsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/files\/([0-9a-f]{32})\//g)].map((match) => match[1] as string)),
]

/** The key of an image in a render context: the public id of an upload, the URL of any other image. */
export const imageKey = (src: string): string => publicFileIdsIn(src)[0] ?? src
