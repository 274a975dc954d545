import { CircleQuestionMark } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useText, withTexts } from '../i18n.ts'
import { notifyFailure } from './notify.tsx'
import styles from './page.module.css'

const importHelpPanel = withTexts(['help'], () => import('./help-panel.tsx'))

/** A button that shows and hides the help of the current screen; Escape hides it too. */
export function Help() {
  const t = useText()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [Panel, setPanel] = useState<ComponentType>()
  const open = async () => {
    try {
      const { HelpPanel } = await importHelpPanel()
      setPanel(() => HelpPanel)
    } catch (error) {
      notifyFailure(t('states.notLoaded'), error)
    }
  }
  const close = () => {
    setPanel(undefined)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && Panel && close()
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.helpButton}
        aria-label={t('shell.help')}
        title={t('shell.help')}
        aria-expanded={Panel !== undefined}
        aria-controls={id}
        onClick={() => (Panel ? close() : void open())}
        onKeyDown={onKeyDown}
      >
        <CircleQuestionMark size={22} />
      </button>
      <div id={id} className={styles.help} hidden={!Panel} role="status" onKeyDown={onKeyDown}>
        {Panel && <Panel />}
      </div>
    </>
  )
}
