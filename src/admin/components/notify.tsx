import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isRefused, isUnreachable, Refused } from '../client.ts'
import { say } from '../i18n.ts'

const closes = () => ({ closeButtonProps: { 'aria-label': say('form.close') } })

/** Tells what was done, and offers the way back where there is one. */
export function tell(message: ReactNode, undo?: () => void): void {
  const id = `said-${Date.now()}`
  const back = () => {
    notifications.hide(id)
    undo?.()
  }
  notifications.show({
    id,
    color: 'brand',
    icon: <Check size={18} aria-hidden />,
    autoClose: undo ? 10_000 : 6_000,
    message: (
      <span className="told">
        <span>{message}</span>
        {undo && (
          <Button variant="default" size="compact-md" onClick={back}>
            {say('form.undo')}
          </Button>
        )}
      </span>
    ),
    ...closes(),
  })
}

/** Tells what went wrong, and why. */
export function tellFailure(title: string, error: unknown): void {
  notifications.show({
    color: 'red',
    icon: <TriangleAlert size={18} aria-hidden />,
    title,
    message: reasonOf(error),
    autoClose: 12_000,
    ...closes(),
  })
}

/** Tells, once, that this program is not the newest, and that what is typed here should be saved first. */
export function tellReplaced(): void {
  notifications.show({
    id: 'replaced',
    color: 'yellow',
    icon: <TriangleAlert size={18} aria-hidden />,
    title: say('states.replaced'),
    message: say('states.replacedText'),
    autoClose: false,
    ...closes(),
  })
}

/** Why something failed, in a sentence. */
export function reasonOf(error: unknown): string {
  // That nothing stands at an address tells nothing to who pressed a button.
  if (isRefused(error, 'not_found')) return say('states.gone')
  if (error instanceof Refused) return error.problem.detail || error.problem.title
  return say(isUnreachable(error) ? 'states.unreachable' : 'states.broken')
}
