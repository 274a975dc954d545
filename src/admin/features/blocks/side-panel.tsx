import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { useRemembered } from '../../components/remembered.ts'
import { useText } from '../../i18n.ts'
import styles from './visual-editor.module.css'

const panels = ['outline', 'fields'] as const
export type PanelName = (typeof panels)[number]

const icons = {
  outline: { open: PanelLeftOpen, close: PanelLeftClose },
  fields: { open: PanelRightOpen, close: PanelRightClose },
}

/**
 * Which of the two panels are open: remembered for this person where both fit beside the page, and at most one at a
 * time below it on a narrow screen.
 */
export function usePanels() {
  const beside = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const roomy = () => (matchMedia('(min-width: 75em)').matches ? 'open' : 'folded')
  const [outline, setOutline] = useRemembered('etalage.editor.outline', ['open', 'folded'], roomy)
  const [fields, setFields] = useRemembered('etalage.editor.fields', ['open', 'folded'], () => 'open')
  const [below, setBelow] = useState<PanelName>()
  const isOpen = beside
    ? { outline: outline === 'open', fields: fields === 'open' }
    : { outline: below === 'outline', fields: below === 'fields' }
  const set = (name: PanelName, open: boolean) => {
    if (!beside) setBelow(open ? name : undefined)
    else if (name === 'outline') setOutline(open ? 'open' : 'folded')
    else setFields(open ? 'open' : 'folded')
  }
  return { isOpen, set }
}

/** A panel beside the page that folds away to a button. */
export function SidePanel(props: {
  name: PanelName
  panels: ReturnType<typeof usePanels>
  panelRef?: RefObject<HTMLElement | null>
  /** Beside the button that folds it away. */
  head: ReactNode
  children: ReactNode
}) {
  const { name, panels, panelRef, head, children } = props
  const t = useText()
  const open = panels.isOpen[name]
  const Icon = icons[name][open ? 'close' : 'open']
  const label = t(`blocks.visual.panels.${open ? 'close' : 'open'}`, { name: t(`blocks.visual.panels.${name}`) })
  return (
    <section
      ref={panelRef}
      className={styles.panel}
      aria-label={t(`blocks.visual.panels.${name}`)}
      tabIndex={-1}
      data-panel={name}
      data-open={open || undefined}
    >
      <div className={styles.panelHead}>
        {open && head}
        <ActionIcon
          className={styles.fold ?? ''}
          aria-label={label}
          title={label}
          aria-expanded={open}
          onClick={() => panels.set(name, !open)}
        >
          <Icon size={20} aria-hidden className="turns" />
          {!open && (
            <span aria-hidden className={styles.foldName}>
              {t(`blocks.visual.panels.${name}`)}
            </span>
          )}
        </ActionIcon>
      </div>
      {open && <div className={styles.panelBody}>{children}</div>}
    </section>
  )
}
