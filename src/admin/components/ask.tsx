import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../i18n.ts'
import { Dialog, DialogActions } from './dialog.tsx'

export interface Question {
  title: string
  text?: ReactNode
  yes: string
  no?: string
  /** What cannot be undone: the way back has the focus. */
  danger?: boolean
}

interface Asked extends Question {
  done: (answer: boolean) => void
}

let put: ((asked: Asked) => void) | undefined

/** Asks, and resolves with what was chosen; leaving is no. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    if (put) put({ ...question, done: resolve })
    else resolve(false)
  })

/** Where questions appear: once, around all screens. */
export function Questions() {
  const t = useText()
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    put = setAsked
    return () => {
      put = undefined
    }
  }, [])
  if (!asked) return null
  const choose = (answer: boolean) => {
    setAsked(undefined)
    asked.done(answer)
  }
  return (
    <Dialog title={asked.title} alert onClose={() => choose(false)}>
      {asked.text && <p>{asked.text}</p>}
      <DialogActions>
        <Button variant="default" autoFocus={asked.danger ?? false} onClick={() => choose(false)}>
          {asked.no ?? t('form.cancel')}
        </Button>
        <Button color={asked.danger ? 'red' : 'brand'} autoFocus={!asked.danger} onClick={() => choose(true)}>
          {asked.yes}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
