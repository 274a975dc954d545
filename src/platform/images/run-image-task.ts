import { access, open, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { svgType } from '../../contract/file-types.ts'
import { ImageRejected, type ImageTask, type ImageTaskResult, type ProbedFile } from './image-tasks.ts'

/** Runs a task, in an image process. */
export async function runImageTask(task: ImageTask): Promise<ImageTaskResult<unknown>> {
  try {
    return { result: (await resultOf(task)) ?? null }
  } catch (error) {
    const detail = String(error).slice(0, 500)
    if (error instanceof ImageRejected) return { rejected: error.reason, detail }
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall !== undefined) return { failed: detail, code }
    if (await isInputMissing(task)) return { failed: detail, code: 'ENOENT' }
    return { rejected: 'unreadable', detail }
  }
}

/** Sharp's errors do not tell a file that is missing from one that is broken. */
const isInputMissing = (task: ImageTask) =>
  'file' in task &&
  access(task.file).then(
    () => false,
    () => true,
  )

/** Each task loads only the libraries that it needs. */
async function resultOf(task: ImageTask): Promise<unknown> {
  if (task.kind === 'probe') return probeFile(task)
  if (task.kind === 'sanitize') return (await import('./sanitize-svg.ts')).sanitizeSvg(task)
  if (task.kind === 'resize') return (await import('./resize-image.ts')).resizeImage(task)
  return (await import('./render-images.ts')).renderImages(task)
}

/** Detects what a file is by its content. A raster image is decoded whole; an SVG is only recognised by its beginning. */
async function probeFile(task: Extract<ImageTask, { kind: 'probe' }>): Promise<ProbedFile> {
  const found = await fileTypeFromFile(task.file)
  // An SVG is text, which has no signature; whether it is well-formed shows when it is sanitized.
  if (found === undefined || found.mime === 'application/xml') {
    if (!(await beginsLikeSvg(task.file))) return { type: null, image: null }
    if ((await stat(task.file)).size > task.svg.bytes) throw new ImageRejected('svgBytes')
    return { type: svgType, image: null }
  }
  // Apple's name for MP4 without copy protection; browsers know the standard one.
  const type = found.mime === 'video/x-m4v' ? 'video/mp4' : found.mime
  const { isRasterImageType, probeImage } = await import('./resize-image.ts')
  return { type, image: isRasterImageType(type) ? await probeImage(task, type) : null }
}

async function beginsLikeSvg(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '')
    return /^\s*</.test(text) && /<(?:\w+:)?svg[\s>]/.test(text)
  } finally {
    await handle.close()
  }
}
