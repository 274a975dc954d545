import { type ReactNode, useState } from 'react'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { useRight } from '../sign-in/me.ts'
import type { Keepable } from './keep-section.tsx'

const KeepSection = lazyPart(async () => (await import('./keep-section.tsx')).KeepSection)

/** The dialog that keeps blocks as a section; `open` is undefined for users who may not. */
export function useKeepSection(read: () => Keepable): { open: (() => void) | undefined; dialog: ReactNode } {
  const mayWrite = useRight('pages.write')
  const [kept, setKept] = useState<Keepable>()
  return {
    open: mayWrite ? () => void openWhenLoaded(KeepSection, () => setKept(read())) : undefined,
    dialog: kept && <KeepSection {...kept} onClose={() => setKept(undefined)} />,
  }
}
