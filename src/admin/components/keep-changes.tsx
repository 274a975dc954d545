import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '../i18n.ts'
import { holdWork } from '../replaced.ts'
import { ask, type Question } from './ask.tsx'

/**
 * Asks before a screen with unsaved changes is left: by a link, the back button or by closing the tab.
 * @param asked the words, where it is something else that would be lost
 */
export function KeepChanges({ when, asked }: { when: boolean; asked?: Pick<Question, 'title' | 'text' | 'yes'> }) {
  const t = useText()
  useEffect(() => (when ? holdWork() : undefined), [when])
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!when || current.pathname === next.pathname) return false
      return !(await ask({
        title: t('form.leaveTitle'),
        text: t('form.leaveText'),
        yes: t('form.leave'),
        ...asked,
        no: t('form.stay'),
        danger: true,
      }))
    },
    enableBeforeUnload: () => when,
  })
  return null
}
