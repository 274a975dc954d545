import { createUsePuck } from '@puckeditor/core'
import { createContext, useContext } from 'react'
import { direction } from '../../../contract/locales.ts'
import { useLocale, useText } from '../../i18n.ts'

/** Asks for the first block. */
export const AddFirst = createContext<() => void>(() => {})
const usePuck = createUsePuck()

/** On the page, as long as nothing stands there: what to do. */
export function EmptyCanvas() {
  const t = useText()
  const spoken = useLocale()
  const add = useContext(AddFirst)
  const empty = usePuck((puck) => puck.appState.data.content.length === 0)
  if (!empty) return null
  return (
    <div className="nothing-yet" lang={spoken} dir={direction[spoken]}>
      <h2>{t('blocks.visual.emptyTitle')}</h2>
      <p>{t('blocks.visual.emptyText')}</p>
      <button type="button" className="button" onClick={add}>
        {t('blocks.add')}
      </button>
    </div>
  )
}
