import { useEffect, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import { UploadList } from '../files/upload-list.tsx'
import { useOwnUploads } from '../files/use-uploads.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import type { Fallen } from './use-fallen-pictures.ts'
import styles from './visual-editor.module.css'

/** Uploads what fell on the canvas; each goes into the block on which it fell, or into one of its own behind that. */
export default function CanvasUploads({ fallen, work }: { fallen: readonly Fallen[]; work: CanvasWork }) {
  const latest = useLatest(work)
  const taken = useRef(0)
  const on = useRef(new WeakMap<File, string | undefined>())
  const { uploads, queue, add } = useOwnUploads((file, sent) => {
    if (file.kind === 'picture') latest.current.putPicture(file.url, on.current.get(sent))
  })
  const adding = useLatest(add)
  useEffect(() => {
    for (const { pictures, block } of fallen.slice(taken.current)) {
      for (const sent of adding.current(pictures)) on.current.set(sent, block)
    }
    taken.current = fallen.length
  }, [fallen, adding])

  const unfinished = uploads.filter(({ state }) => state !== 'done')
  if (unfinished.length === 0) return null
  return (
    <div className={styles.uploads}>
      <UploadList uploads={unfinished} queue={queue} />
    </div>
  )
}
