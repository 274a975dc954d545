import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { noProblems, type Problems, problemsAfterChange, problemsUnder } from './problems.ts'

/** Long enough to type the next character of a URL, which is wrong until it is complete. */
const pauseMs = 600

/** Adds the errors that saving would give to those of the last save, once something was changed and then nothing for a moment. */
export function useUnsavedProblems(blocks: readonly StoredBlock[], problems: Problems): Problems {
  const t = useText()
  const locale = useLocale()
  const [settled] = useDebouncedValue(blocks, pauseMs)
  const initialBlocks = useRef(blocks)
  const [checked, setChecked] = useState({ blocks, problems: noProblems })
  useEffect(() => {
    if (settled === initialBlocks.current) return undefined
    let isCurrent = true
    // Loaded on demand: most pages are opened and read before anything is changed. Without it the save shows the errors.
    void import('./block-problems.ts').then(
      ({ problemsOf }) => isCurrent && setChecked({ blocks: settled, problems: problemsOf(settled, t, locale) }),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [settled, t, locale])
  return useMemo(() => {
    const unsaved = problemsUnder(problemsAfterChange(checked.problems, 'body', checked.blocks, blocks), 'body')
    return unsaved === noProblems ? problems : { ...unsaved, ...problems }
  }, [checked, blocks, problems])
}
