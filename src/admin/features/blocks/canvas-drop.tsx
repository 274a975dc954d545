import { type RefObject, useRef } from 'react'
import { useLatest } from '../../components/latest.ts'
import { UploadList } from '../files/upload-list.tsx'
import { useOwnUploads } from '../files/use-uploads.ts'
import type { CanvasWork } from './use-canvas-work.ts'
import { useOnCanvas } from './use-on-canvas.ts'
import styles from './visual-editor.module.css'

/** Uploads pictures that fall on the canvas; each goes into the block on which it fell, or into one of its own behind that. */
export function CanvasDrop({ place, work }: { place: RefObject<HTMLElement | null>; work: CanvasWork }) {
  const latest = useLatest(work)
  const fellOn = useRef(new WeakMap<File, string | undefined>())
  const { uploads, queue, add } = useOwnUploads((file, sent) => {
    if (file.kind === 'picture') latest.current.putPicture(file.url, fellOn.current.get(sent))
  })
  useOnCanvas(place, (page, signal) => {
    const allow = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes('Files')) dataTransfer.dropEffect = 'copy'
    }
    const take = ({ target, dataTransfer }: DragEvent) => {
      const block = (target as Element).closest<HTMLElement>('[data-puck-component]')
      const pictures = [...(dataTransfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      for (const sent of add(pictures)) fellOn.current.set(sent, block?.dataset.puckComponent)
    }
    page.addEventListener('dragover', allow, { signal })
    page.addEventListener('drop', take, { signal })
  })
  const unfinished = uploads.filter(({ state }) => state !== 'done')
  if (unfinished.length === 0) return null
  return (
    <div className={styles.uploads}>
      <UploadList uploads={unfinished} queue={queue} />
    </div>
  )
}
