import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { randomId } from '../../contract/random-id.ts'
import { ApiRefusal, isApiRefusal, isTemporary } from '../client.ts'
import { translate } from '../i18n.ts'

/** Shows a notification at once. At the limit Mantine would queue it, so the oldest that closes by itself is closed. */
function showNow(notification: NotificationData): string {
  const { notifications: visible, limit } = notificationsStore.getState()
  const isNew = visible.every(({ id }) => id !== notification.id)
  const oldest = visible.find(({ autoClose }) => autoClose)
  if (isNew && oldest?.id && visible.length >= limit) notifications.hide(oldest.id)
  return notifications.show({ ...notification, closeButtonProps: { 'aria-label': translate('form.close') } })
}

/** The key of a page in one language, or `form` for changes that a form has not saved. */
type NotificationKey = `${number}/${string}` | 'form'

/**
 * Notifies of a success, with an undo button if `undo` is given.
 * @param key of what undo changes: hidden when another page opens (`showNotificationsOf`), or the screen of the form is left
 */
export function notify(message: ReactNode, undo?: () => void, key?: NotificationKey): void {
  // Another page may have been opened before the response came.
  const canUndo = undo && (!key || key === 'form' || !openPage || key === openPage)
  const hideAndUndo = () => {
    notifications.hide(id)
    undo?.()
  }
  const id = showNow({
    ...(key && { id: `${key} ${randomId()}` }),
    color: 'brand',
    icon: <Check />,
    autoClose: canUndo ? 10_000 : 6_000,
    message: (
      <span className="notification-text">
        <span>{message}</span>
        {canUndo && (
          <Button size="compact-md" onClick={hideAndUndo}>
            {translate('form.undo')}
          </Button>
        )}
      </span>
    ),
  })
}

/** The key of the page whose editor or history was opened last. */
let openPage: NotificationKey | undefined

/** Hides the notifications of all pages but this one: their undo buttons would change what is no longer shown. */
export function showNotificationsOf(page: NotificationKey): void {
  openPage = page
  // A draft that is loaded as the page opens has its notification already.
  hideWhere((key) => key !== page && key !== 'form')
}

/** Hides the notifications of a form when its screen is left. */
export const hideFormNotifications = (): void => hideWhere((key) => key === 'form')

function hideWhere(isHidden: (key: string) => boolean): void {
  for (const { id } of notificationsStore.getState().notifications) {
    // The id of a notification without a key has no space.
    const [key, rest] = id?.split(' ') ?? []
    if (id && key && rest && isHidden(key)) notifications.hide(id)
  }
}

const warn = (notification: NotificationData) =>
  showNow({ color: 'yellow', icon: <TriangleAlert />, autoClose: 12_000, ...notification })

/** Notifies of a success with a limitation, such as an email that was only written to a file. */
export function notifyWarning(message: string): void {
  warn({ message })
}

/** Notifies of a failure. @param reason a sentence; by default that of the error */
export function notifyFailure(title: string, error: unknown, reason = reasonOf(error)): void {
  warn({ color: 'red', title, message: reason })
}

/** Asks to save and reload, because a new version was deployed; a repeated call shows no second notification. */
export function notifyNewVersion(): void {
  warn({
    id: 'replaced',
    title: translate('states.replaced'),
    message: translate('states.replacedText'),
    autoClose: false,
  })
}

/** The reason of an error, as a sentence in the user's language. */
export function reasonOf(error: unknown): string {
  // The API's 'not found' mentions an address, which is unclear after a button press.
  if (isApiRefusal(error, 'not_found')) return translate('states.gone')
  // An error page of a proxy has neither detail nor title, as HTTP/2 has no status text.
  if (error instanceof ApiRefusal && (error.problem.detail || error.problem.title))
    return error.problem.detail || error.problem.title
  return translate(isTemporary(error) ? 'states.unreachable' : 'states.broken')
}
