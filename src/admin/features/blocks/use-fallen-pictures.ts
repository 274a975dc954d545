import { type RefObject, useState } from 'react'
import { useRight } from '../sign-in/me.ts'
import { useOnCanvas } from './use-on-canvas.ts'

export interface Fallen {
  pictures: readonly File[]
  /** The id of the block on which they fell. */
  block: string | undefined
}

/** Pictures that were dropped on the canvas, in order; none for who may not upload. */
export function useFallenPictures(place: RefObject<HTMLElement | null>): readonly Fallen[] {
  const mayUpload = useRight('files.write')
  const [fallen, setFallen] = useState<readonly Fallen[]>([])
  useOnCanvas(place, (page, signal) => {
    if (!mayUpload) return
    const allow = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes('Files')) dataTransfer.dropEffect = 'copy'
    }
    const take = ({ target, dataTransfer }: DragEvent) => {
      const block = (target as Element).closest<HTMLElement>('[data-puck-component]')?.dataset.puckComponent
      const pictures = [...(dataTransfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (pictures.length > 0) setFallen((before) => [...before, { pictures, block }])
    }
    page.addEventListener('dragover', allow, { signal })
    page.addEventListener('drop', take, { signal })
  })
  return fallen
}
