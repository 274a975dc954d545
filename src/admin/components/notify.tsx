import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiRefusal, isApiRefusal, isTemporary } from '../client.ts'
import { translate } from '../i18n.ts'

/** Shows it at once: one more than fit would wait until another is gone, so the oldest that goes by itself makes room. */
function show(notification: NotificationData): string {
  const { notifications: shown, limit } = notificationsStore.getState()
  const isNew = shown.every(({ id }) => id !== notification.id)
  const oldest = shown.find(({ autoClose }) => autoClose)
  if (isNew && oldest?.id && shown.length >= limit) notifications.hide(oldest.id)
  return notifications.show({ ...notification, closeButtonProps: { 'aria-label': translate('form.close') } })
}

/** Shows a notification, with an undo button if `undo` is given. */
export function notify(message: ReactNode, undo?: () => void): void {
  const back = () => {
    notifications.hide(id)
    undo?.()
  }
  const id = show({
    color: 'brand',
    icon: <Check />,
    autoClose: undo ? 10_000 : 6_000,
    message: (
      <span className="notification-text">
        <span>{message}</span>
        {undo && (
          <Button size="compact-md" onClick={back}>
            {translate('form.undo')}
          </Button>
        )}
      </span>
    ),
  })
}

const warn = (notification: NotificationData) =>
  show({ color: 'yellow', icon: <TriangleAlert />, autoClose: 12_000, ...notification })

/** Shows that something was stored, but not what else it was meant for. */
export function notifyWarning(message: string): void {
  warn({ message })
}

/** Shows an error notification with the reason. */
export function notifyFailure(title: string, error: unknown, reason = reasonOf(error)): void {
  warn({ color: 'red', title, message: reason })
}

/** Asks, once, to save and reload because a new version was deployed. */
export function notifyNewVersion(): void {
  warn({
    id: 'replaced',
    title: translate('states.replaced'),
    message: translate('states.replacedText'),
    autoClose: false,
  })
}

/** The reason of an error, as a sentence. */
export function reasonOf(error: unknown): string {
  // The API's 'not found' mentions an address, which is unclear after a button press.
  if (isApiRefusal(error, 'not_found')) return translate('states.gone')
  // An error page of a proxy has neither detail nor title, as HTTP/2 has no status text.
  if (error instanceof ApiRefusal && (error.problem.detail || error.problem.title))
    return error.problem.detail || error.problem.title
  return translate(isTemporary(error) ? 'states.unreachable' : 'states.broken')
}
