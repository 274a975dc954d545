import { access, open, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { svgType } from '../../contract/file-types.ts'
import { ImageRejected, type ImageTask, type ImageTaskResult, type ProbedFile } from './image-tasks.ts'

/** Runs a task in the image process. Never rejects. */
export async function runImageTask(task: ImageTask): Promise<ImageTaskResult<unknown>> {
  try {
    return { result: (await performTask(task)) ?? null }
  } catch (error) {
    const detail = String(error).slice(0, 500)
    if (error instanceof ImageRejected) return { rejected: error.reason, detail }
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall !== undefined) return { failed: detail, code }
    if (await isInputMissing(task)) return { failed: detail, code: 'ENOENT' }
    return { rejected: 'unreadable', detail }
  }
}

/** Sharp's errors do not distinguish a missing file from a broken one. */
const isInputMissing = (task: ImageTask) =>
  'file' in task &&
  access(task.file).then(
    () => false,
    () => true,
  )

/** Imports only the libraries that the task needs. */
async function performTask(task: ImageTask): Promise<unknown> {
  if (task.kind === 'probe') return probeFile(task)
  if (task.kind === 'sanitize') return (await import('./sanitize-svg.ts')).sanitizeSvg(task)
  if (task.kind === 'resize') return (await import('./resize-image.ts')).resizeImage(task)
  return (await import('./render-images.ts')).renderImages(task)
}

/** Detects the type of a file by its content. A raster image is decoded completely; of an SVG only the beginning is read. */
async function probeFile(task: Extract<ImageTask, { kind: 'probe' }>): Promise<ProbedFile> {
  const detected = await fileTypeFromFile(task.file)
  // An SVG is text, which has no signature; whether it is valid shows when it is sanitized.
  if (detected === undefined || detected.mime === 'application/xml') {
    if (!(await beginsLikeSvg(task.file))) return { type: null, image: null }
    if ((await stat(task.file)).size > task.svg.bytes) throw new ImageRejected('svgBytes')
    return { type: svgType, image: null }
  }
  // M4V is Apple's name for MP4; browsers only know the standard type.
  const type = detected.mime === 'video/x-m4v' ? 'video/mp4' : detected.mime
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
