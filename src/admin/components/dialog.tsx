import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, memo, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { translate, useText } from '../i18n.ts'
import { registerUnsavedWork } from '../new-version.ts'
import styles from './dialog.module.css'

/** A native modal dialog: traps the focus, closes on Escape and restores the focus. */
export function Dialog(props: {
  title: string
  /** Use the role `alertdialog`. */
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
    // On opening, focus the first control; `autoFocus` runs before the dialog is shown.
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
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

/** The buttons at the end of a dialog; the first closes it. */
export function DialogActions(props: { onClose: () => void; close?: string; children?: ReactNode }) {
  const t = useText()
  return (
    <div className={styles.actions}>
      <Button onClick={props.onClose}>{props.close ?? t('form.cancel')}</Button>
      {props.children}
    </div>
  )
}

/** A dialog with a form; its second button submits it. */
export function DialogForm(props: {
  title: string
  /** Use the role `alertdialog`. */
  alert?: boolean
  onClose: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** The label of the button. */
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

interface Question {
  title: string
  text?: ReactNode
  /** An input below the text, such as an option for the action that is confirmed. */
  choice?: ReactNode
  yes: string
  no?: string
  /** A destructive action: the cancel button has the focus. */
  danger?: boolean
}

interface OpenQuestion extends Question {
  id: number
  done: (answer: boolean) => void
}

let showQuestion: ((question: OpenQuestion) => void) | undefined
let asked = 0

/** Shows a confirmation dialog. @returns whether it was confirmed; closing it counts as no */
export const confirmInDialog = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    if (showQuestion) showQuestion({ ...question, id: ++asked, done: resolve })
    else resolve(false)
  })

/** Asks whether to delete something. @param type the kind of thing, as in ‘delete this {type}?’ */
export const confirmDeletion = (type: string, text: ReactNode): Promise<boolean> =>
  confirmInDialog({
    title: translate('form.deleteQuestion', { type }),
    text,
    yes: translate('form.delete'),
    danger: true,
  })

/** Renders the confirmation dialogs, once for all screens. */
export function Questions() {
  const t = useText()
  const [question, setQuestion] = useState<OpenQuestion>()
  useEffect(() => {
    showQuestion = (next) =>
      setQuestion((before) => {
        before?.done(false)
        return next
      })
    return () => {
      showQuestion = undefined
    }
  }, [])
  if (!question) return null
  const choose = (answer: boolean) => {
    setQuestion(undefined)
    question.done(answer)
  }
  return (
    // Asked again before the closed one is gone, it is shown anew.
    <Dialog key={question.id} title={question.title} alert onClose={() => choose(false)}>
      {question.text && <p>{question.text}</p>}
      {question.choice}
      <div className={styles.actions}>
        <Button data-autofocus={question.danger || undefined} onClick={() => choose(false)}>
          {question.no ?? t('form.cancel')}
        </Button>
        <Button
          variant="filled"
          color={question.danger ? 'red' : 'brand'}
          data-autofocus={!question.danger || undefined}
          onClick={() => choose(true)}
        >
          {question.yes}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * Asks for confirmation before leaving a screen with unsaved changes: by a link, the back button or closing the tab.
 * @param question the text of the question, if not the default
 */
export const UnsavedChangesGuard = memo(
  (props: { when: boolean; question?: Pick<Question, 'title' | 'text' | 'yes'> }) => {
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
