import { useEffect, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import { readLocalImage, removeUploadPreview, setUploadPreview } from '../files/local-images.ts'
import { UploadList, useSeparateUploads } from '../files/upload-area.tsx'
import type { DroppedImages } from './canvas-events.ts'
import type { CanvasActions } from './use-canvas-actions.ts'
import styles from './visual-editor.module.css'

/**
 * Uploads images dropped on the canvas: each goes into the block on which it was dropped, which shows it meanwhile, or
 * into a new block after that block.
 */
export default function CanvasUploads(props: { dropped: readonly DroppedImages[]; actions: CanvasActions }) {
  const { dropped, actions } = props
  const latest = useLatest(actions)
  const handledCount = useRef(0)
  const targetBlockIds = useRef(new WeakMap<File, string>())
  const isMounted = useRef(true)
  const { uploads, queue, add } = useSeparateUploads((file, sent) => {
    if (file.kind === 'picture') latest.current.insertImage(file.url, targetBlockIds.current.get(sent))
  })
  const latestAdd = useLatest(add)
  useEffect(() => {
    for (const { images, blockId } of dropped.slice(handledCount.current)) {
      for (const file of latestAdd.current(images)) {
        if (blockId === undefined) continue
        targetBlockIds.current.set(file, blockId)
        const isPending = () =>
          isMounted.current && queue.getUploads().some((upload) => upload.file === file && queue.isPending(upload))
        // A file that is too large is not sent.
        if (!isPending()) continue
        void readLocalImage(file).then((image) => {
          if (image && isPending()) setUploadPreview(blockId, file, image)
          else removeUploadPreview(blockId, file)
        })
      }
    }
    handledCount.current = dropped.length
  }, [dropped, latestAdd, queue])
  useEffect(() => {
    for (const upload of uploads) {
      const blockId = targetBlockIds.current.get(upload.file)
      if (blockId !== undefined && !queue.isPending(upload)) removeUploadPreview(blockId, upload.file)
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
