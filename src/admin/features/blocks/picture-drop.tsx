import { Button } from '@mantine/core'
import { CloudUpload } from 'lucide-react'
import { useDropzone } from 'react-dropzone'
import { useLatest } from '../../components/latest.ts'
import { useText } from '../../i18n.ts'
import type { SentFile } from '../files/send-file.ts'
import { UploadList } from '../files/upload-list.tsx'
import { useOwnUploads } from '../files/use-uploads.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './blocks.module.css'

interface Drop {
  several?: boolean
  /** A picture has arrived at the server. */
  onStored: (file: SentFile) => void
}

/** Takes pictures that are dropped or chosen and uploads them on the spot; nothing for who may not upload. */
export const PictureDrop = (props: Drop) => useRight('files.write') && <Dropping {...props} />

function Dropping({ several = false, onStored }: Drop) {
  const t = useText()
  const latest = useLatest(onStored)
  const work = useOwnUploads((file) => {
    if (file.kind === 'picture') latest.current(file)
  })
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => work.add(several ? files : files.slice(0, 1)),
    accept: { 'image/*': [] },
    multiple: several,
    noClick: true,
    noKeyboard: true,
  })
  const unfinished = work.uploads.filter(({ state }) => state !== 'done')
  return (
    <div {...getRootProps({ className: styles.drop, 'data-over': isDragActive || undefined, role: undefined })}>
      <p>
        <CloudUpload size={20} strokeWidth={1.5} aria-hidden />
        {isDragActive ? t('files.dropNow') : t(several ? 'blocks.picture.dropSeveral' : 'blocks.picture.drop')}
      </p>
      <Button variant="subtle" onClick={open}>
        {t('blocks.picture.upload')}
      </Button>
      <input {...getInputProps({ 'aria-label': t('blocks.picture.upload'), tabIndex: -1 })} />
      {unfinished.length > 0 && <UploadList uploads={unfinished} queue={work.queue} />}
    </div>
  )
}
