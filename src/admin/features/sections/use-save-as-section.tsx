import { type ReactNode, useState } from 'react'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { useRight } from '../sign-in/me.ts'
import type { BlocksToSave } from './save-as-section.tsx'

const SaveAsSection = lazyPart(async () => (await import('./save-as-section.tsx')).SaveAsSection)

/** A dialog that saves blocks as a section. `open` reads the blocks; undefined for users who may not save sections. */
export function useSaveAsSection(blocksToSave: () => BlocksToSave): {
  open: (() => void) | undefined
  dialog: ReactNode
} {
  const mayWrite = useRight('pages.write')
  const [toSave, setToSave] = useState<BlocksToSave>()
  return {
    open: mayWrite ? () => void openWhenLoaded(SaveAsSection, () => setToSave(blocksToSave())) : undefined,
    dialog: toSave && <SaveAsSection {...toSave} onClose={() => setToSave(undefined)} />,
  }
}
