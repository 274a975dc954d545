import { notifyNewVersion } from './components/notify.tsx'

const key = 'reloaded-at'

/** Forms with changes that are saved nowhere. */
const unsaved = new Set<object>()

/** Prevents a reload for a new version while a form has unsaved changes. @returns a function that ends this */
export function registerUnsavedWork(): () => void {
  const form = {}
  unsaved.add(form)
  return () => void unsaved.delete(form)
}

/**
 * After a deployment, chunks of the old version no longer exist: when one fails to load, the page is reloaded, at most
 * once in ten seconds. When a chunk fails for another reason, such as a lost connection, the component that needs it
 * shows the error.
 */
export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  if (!(await isReplaced())) return
  if (unsaved.size > 0) return notifyNewVersion()
  if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 10_000) return
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
}

/** Whether the server responds with a page that loads another main script than the running one. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    return own != null && answer.ok && !answer.redirected && !(await answer.text()).includes(own)
  } catch {
    return false
  }
}
