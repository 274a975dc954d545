import { notifyNewVersion } from './components/notify.tsx'

const reloadedAtKey = 'reloaded-at'

/** One object for each form with unsaved changes and each running upload. */
const unsavedWork = new Set<object>()

/** Prevents a reload for a new version because of unsaved work. @returns a function that allows it again */
export function registerUnsavedWork(): () => void {
  const work = {}
  unsavedWork.add(work)
  return () => void unsavedWork.delete(work)
}

/**
 * After a deployment, chunks of the old version no longer exist: when one fails to load, the page is reloaded, at most
 * once in ten seconds. When a chunk fails for another reason, such as a lost connection, the component that needs it
 * shows the error.
 */
export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => void reloadIfNewVersion())
}

async function reloadIfNewVersion(): Promise<void> {
  if (!(await isNewVersionDeployed())) return
  if (unsavedWork.size > 0) return notifyNewVersion()
  if (Date.now() - Number(sessionStorage.getItem(reloadedAtKey) ?? 0) < 10_000) return
  sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  location.reload()
}

/** Whether the server's current page loads another main script than the running one; false without a response. */
async function isNewVersionDeployed(): Promise<boolean> {
  const runningScript = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  try {
    const page = await fetch(location.href, { cache: 'no-store' })
    return runningScript != null && page.ok && !page.redirected && !(await page.text()).includes(runningScript)
  } catch {
    return false
  }
}
