import { EllipsisVertical } from 'lucide-react'
import { type KeyboardEvent, useId, useRef } from 'react'
import { IconButton } from '../../components/buttons.tsx'
import styles from './blocks.module.css'

export interface MenuAction {
  label: string
  /** Undefined while it is not possible. */
  run: (() => void) | undefined
  /** As shown beside the label: `Alt+↑`. */
  keys?: string
  danger?: boolean
}

/** A button that opens a menu of actions. After an action the focus is on the button again. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    all.at(to % all.length)?.focus()
  }
  /** Below the button, or above it where there is no room below. */
  const positionMenu = () => {
    const shown = menu.current
    const at = button.current?.getBoundingClientRect()
    if (!shown || !at) return
    const { offsetWidth, offsetHeight } = shown
    const start = document.documentElement.dir === 'rtl' ? at.left : at.right - offsetWidth
    const below = at.bottom + offsetHeight < innerHeight
    shown.style.left = `${Math.min(Math.max(4, start), innerWidth - offsetWidth - 4)}px`
    shown.style.top = `${below ? at.bottom : Math.max(4, at.top - offsetHeight)}px`
  }
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={<EllipsisVertical />}
        aria-haspopup="menu"
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          menu.current?.showPopover()
        }}
      />
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          if (newState !== 'open') return
          positionMenu()
          items()[0]?.focus()
          // The canvas is a document of its own, where a click would leave the menu open.
          window.addEventListener('blur', () => menu.current?.hidePopover(), { once: true })
        }}
      >
        {actions.map(({ label, run, keys, danger }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={!run}
            data-danger={danger || undefined}
            onClick={() => {
              if (!run) return
              menu.current?.hidePopover()
              button.current?.focus()
              run()
            }}
          >
            {label}
            {keys && <kbd aria-hidden>{keys}</kbd>}
          </button>
        ))}
      </div>
    </>
  )
}
