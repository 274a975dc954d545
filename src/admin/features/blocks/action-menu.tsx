import { EllipsisVertical } from 'lucide-react'
import { type KeyboardEvent, useId, useRef } from 'react'
import { IconButton } from '../../components/buttons.tsx'
import styles from './blocks.module.css'

export interface MenuAction {
  label: string
  /** Undefined while the action is disabled. */
  run: (() => void) | undefined
  /** The shortcut to show beside the label, such as `Alt+↑`. The menu does not handle it. */
  keys?: string
  danger?: boolean
}

/** A button that opens a menu of actions. The focus returns to the button before an action runs. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const menuItems = items()
    const index = menuItems.indexOf(document.activeElement as HTMLElement)
    const newIndex = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (newIndex === undefined) return
    event.preventDefault()
    event.stopPropagation()
    // Wraps around: `at` counts a negative index from the end.
    menuItems.at(newIndex % menuItems.length)?.focus()
  }
  /** Puts the menu below the button, or above it where there is no space below. */
  const positionMenu = () => {
    const marginPx = 4
    const menuElement = menu.current
    const buttonRect = button.current?.getBoundingClientRect()
    if (!menuElement || !buttonRect) return
    const { offsetWidth, offsetHeight } = menuElement
    const { left, right, top, bottom } = buttonRect
    const alignedLeft = document.documentElement.dir === 'rtl' ? left : right - offsetWidth
    const fitsBelow = bottom + offsetHeight < innerHeight
    menuElement.style.left = `${Math.min(Math.max(marginPx, alignedLeft), innerWidth - offsetWidth - marginPx)}px`
    menuElement.style.top = `${fitsBelow ? bottom : Math.max(marginPx, top - offsetHeight)}px`
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
          // Also closes the menu on a click in the canvas, which is another document.
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
