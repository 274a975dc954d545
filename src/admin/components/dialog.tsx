import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import styles from './dialog.module.css'

/** The browser's own dialog: it keeps the focus, closes by Escape and gives the focus back to where it was. */
export function Dialog(props: {
  title: string
  /** Told in words that nobody may miss. */
  alert?: boolean
  /** For what needs room. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const { title, alert, wide, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={wide}
      {...(alert ? { role: 'alertdialog' } : {})}
      aria-labelledby={id}
      onClose={() => {
        if (!dialog.current?.open) onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

/** The buttons that end it. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
