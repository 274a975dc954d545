import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CloudUpload } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useDropzone } from 'react-dropzone'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { fileChoicesQuery } from './files.ts'
import styles from './upload-area.module.css'
import { UploadList } from './upload-list.tsx'
import type { useUploads } from './use-uploads.ts'

/** All around what is below: whatever is dropped on it, pasted or chosen is uploaded. */
export function UploadArea(props: {
  work: ReturnType<typeof useUploads>
  folder: string | undefined
  children: ReactNode
}) {
  const { work, folder, children } = props
  const t = useText()
  const { data: choices } = useQuery(fileChoicesQuery)
  const take = (files: readonly File[]) => {
    if (files.length > 0) work.add(files, folder)
  }
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: take,
    noClick: true,
    noKeyboard: true,
  })
  usePaste(take)
  return (
    <div {...getRootProps({ className: styles.area, 'data-over': isDragActive || undefined, role: undefined })}>
      <div className={styles.invitation}>
        <CloudUpload size={28} strokeWidth={1.5} aria-hidden />
        <p>
          {isDragActive ? t('files.dropNow') : t('files.drop')}{' '}
          {folder && <Said text="files.dropInto" folder={<bdi>{folder}</bdi>} />}
          {choices && (
            <small>
              {t('files.limits', { mb: choices.maxBytes / 1_000_000, megapixels: choices.maxPixels / 1_000_000 })}
            </small>
          )}
        </p>
        <Button onClick={open}>{t('files.choose')}</Button>
        <input {...getInputProps({ 'aria-label': t('files.choose'), tabIndex: -1 })} />
      </div>
      <UploadList uploads={work.uploads} queue={work.queue} />
      {children}
    </div>
  )
}

/** What is pasted into a field stays there. */
function usePaste(take: (files: readonly File[]) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
}
