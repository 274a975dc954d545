import { useEffect, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import { readLocalImage, removeArrivingImage, setArrivingImage } from '../files/local-images.ts'
import { UploadList, useSeparateUploads } from '../files/upload-area.tsx'
import type { DroppedImages } from './canvas-events.ts'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

/**
 * Uploads images dropped on the canvas: each goes into the block on which it was dropped, which shows it meanwhile, or
 * into a new block after it.
 */
export default function CanvasUploads({ dropped, work }: { dropped: readonly DroppedImages[]; work: CanvasActions }) {
  const latest = useLatest(work)
  const handledCount = useRef(0)
  const targetBlocks = useRef(new WeakMap<File, string>())
  const isMounted = useRef(true)
  const { uploads, queue, add } = useSeparateUploads((file, sent) => {
    if (file.kind === 'picture') latest.current.insertImage(file.url, targetBlocks.current.get(sent))
  })
  const adding = useLatest(add)
  useEffect(() => {
    for (const { images, block } of dropped.slice(handledCount.current)) {
      for (const sent of adding.current(images)) {
        if (block === undefined) continue
        targetBlocks.current.set(sent, block)
        const isShown = () => isMounted.current && queue.get().some((one) => one.file === sent && queue.isPending(one))
        void readLocalImage(sent).then((image) => {
          if (image && isShown()) setArrivingImage(block, sent, image)
          else removeArrivingImage(block, sent)
        })
      }
    }
    handledCount.current = dropped.length
  }, [dropped, adding, queue])
  useEffect(() => {
    for (const upload of uploads) {
      const block = targetBlocks.current.get(upload.file)
      if (block !== undefined && !queue.isPending(upload)) removeArrivingImage(block, upload.file)
    }
  }, [uploads, queue])
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const unfinished = uploads.filter(({ state }) => state !== 'done')
  if (unfinished.length === 0) return null
  return (
    <div className={styles.uploads}>
      <UploadList uploads={unfinished} queue={queue} />
    </div>
  )
}
