import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, memo, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { translate, useText } from '../i18n.ts'
import { registerUnsavedWork } from '../new-version.ts'
import styles from './dialog.module.css'

/** A native modal dialog, open while it is mounted. It traps the focus, closes on Escape and restores the focus. */
export function Dialog(props: {
  title: string
  /** Use the role `alertdialog`. */
  alert?: boolean
  /** A larger maximum width. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const { title, alert, wide, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The attribute `autofocus` would have no effect: React handles it before the dialog is open.
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => element?.close()
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

/** The buttons at the end of a dialog: a closing button and the given ones. */
export function DialogActions(props: { onClose: () => void; close?: string; children?: ReactNode }) {
  const t = useText()
  return (
    <div className={styles.actions}>
      <Button onClick={props.onClose}>{props.close ?? t('form.cancel')}</Button>
      {props.children}
    </div>
  )
}

/** A dialog with a form, a cancel button and a submit button. */
export function DialogForm(props: {
  title: string
  /** Use the role `alertdialog`. */
  alert?: boolean
  onClose: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** The label of the submit button. */
  yes: string
  danger?: boolean
  saving?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  const { title, alert, onClose, onSubmit, yes, danger, saving, disabled, children } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React would also submit the form of the page, which is an ancestor of some dialogs.
    event.stopPropagation()
    onSubmit(event)
  }
  return (
    <Dialog title={title} alert={alert} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        {children}
        <DialogActions onClose={onClose}>
          <Button variant="filled" type="submit" color={danger ? 'red' : 'brand'} loading={saving} disabled={disabled}>
            {yes}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface Confirmation {
  title: string
  text?: ReactNode
  /** An input below the text, such as an option of the action. */
  input?: ReactNode
  /** The labels of the buttons. */
  yes: string
  no?: string
  /** A destructive action: the cancel button has the focus. */
  danger?: boolean
}

interface OpenConfirmation extends Confirmation {
  id: number
  resolve: (isConfirmed: boolean) => void
}

/** Set while `ConfirmationDialogs` is mounted. */
let showConfirmation: ((confirmation: OpenConfirmation) => void) | undefined
let lastId = 0

/** Shows a confirmation dialog. @returns whether it was confirmed; closing it counts as no */
export const confirmInDialog = (confirmation: Confirmation): Promise<boolean> =>
  new Promise((resolve) => {
    if (showConfirmation) showConfirmation({ ...confirmation, id: ++lastId, resolve })
    else resolve(false)
  })

/** Asks whether to delete a record. @param type the kind of record, as in ‘delete this {type}?’ */
export const confirmDeletion = (type: string, text: ReactNode): Promise<boolean> =>
  confirmInDialog({
    title: translate('form.deleteQuestion', { type }),
    text,
    yes: translate('form.delete'),
    danger: true,
  })

/** Renders the dialog of `confirmInDialog`, once for all screens. A new one cancels an open one. */
export function ConfirmationDialogs() {
  const t = useText()
  const [confirmation, setConfirmation] = useState<OpenConfirmation>()
  useEffect(() => {
    showConfirmation = (next) =>
      setConfirmation((open) => {
        open?.resolve(false)
        return next
      })
    return () => {
      showConfirmation = undefined
    }
  }, [])
  if (!confirmation) return null
  const { id, title, text, input, yes, no, danger } = confirmation
  const closeWith = (isConfirmed: boolean) => {
    setConfirmation(undefined)
    confirmation.resolve(isConfirmed)
  }
  return (
    // The key mounts a new dialog for each confirmation, because only mounting opens it.
    <Dialog key={id} title={title} alert onClose={() => closeWith(false)}>
      {text && <p>{text}</p>}
      {input}
      <div className={styles.actions}>
        <Button data-autofocus={danger || undefined} onClick={() => closeWith(false)}>
          {no ?? t('form.cancel')}
        </Button>
        <Button
          variant="filled"
          color={danger ? 'red' : 'brand'}
          data-autofocus={!danger || undefined}
          onClick={() => closeWith(true)}
        >
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * Asks for confirmation before a screen with unsaved changes is left: by a link, the back button or closing the tab.
 * @param props.question the texts of the dialog, if not the default
 */
export const UnsavedChangesGuard = memo(
  (props: { when: boolean; question?: Pick<Confirmation, 'title' | 'text' | 'yes'> }) => {
    const { when, question } = props
    const t = useText()
    useEffect(() => (when ? registerUnsavedWork() : undefined), [when])
    useBlocker({
      shouldBlockFn: async ({ current, next }) => {
        if (!when || current.pathname === next.pathname) return false
        return !(await confirmInDialog({
          title: t('form.leaveTitle'),
          text: t('form.leaveText'),
          yes: t('form.leave'),
          ...question,
          no: t('form.stay'),
          danger: true,
        }))
      },
      enableBeforeUnload: () => when,
    })
    return null
  },
)
