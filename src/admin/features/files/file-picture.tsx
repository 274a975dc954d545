import { File, FileArchive, FileAudio, FileText, FileVideo, ImageOff, LoaderCircle } from 'lucide-react'
import type { FileKind } from '../../../contract/file-types.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { useText } from '../../i18n.ts'
import styles from './file-picture.module.css'

const icons: Partial<Record<FileKind, typeof File>> = {
  document: FileText,
  video: FileVideo,
  audio: FileAudio,
  archive: FileArchive,
}

/** What a file looks like, small: a picture of it, or what it is. Beside it stands its name, so it says nothing itself. */
export function FilePicture({ file, sizes }: { file: StoredFile; sizes: string }) {
  const t = useText()
  const { picture, state } = file
  if (!picture) {
    const Icon = icons[file.kind] ?? File
    return (
      <span className={styles.frame} data-icon>
        <Icon size={40} strokeWidth={1.25} aria-hidden />
        <span className={styles.ending}>{file.name.slice(file.name.lastIndexOf('.') + 1)}</span>
      </span>
    )
  }
  const { src, sources, placeholder, focal } = picture
  return (
    <span className={styles.frame} style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}>
      {src && (
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
          ))}
          <img
            src={src}
            alt=""
            loading="lazy"
            decoding="async"
            data-whole={sources.length === 0 || undefined}
            style={{ objectPosition: `${focal.x}% ${focal.y}%` }}
          />
        </picture>
      )}
      {state !== 'ready' && (
        <span className={styles.note}>
          {state === 'waiting' ? <LoaderCircle size={16} aria-hidden /> : <ImageOff size={16} aria-hidden />}
          {t(state === 'waiting' ? 'files.beingMade' : 'files.failedMade')}
        </span>
      )}
    </span>
  )
}
