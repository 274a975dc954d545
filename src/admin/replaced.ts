import { tellReplaced } from './components/notify.tsx'

const key = 'reloaded-at'

/** The forms that hold what is saved nowhere. */
const unsaved = new Set<object>()

/** While a form holds unsaved work, it is not thrown away for a new version. @returns what ends that */
export function holdWork(): () => void {
  const form = {}
  unsaved.add(form)
  return () => void unsaved.delete(form)
}

/**
 * After a new version was put in place, a screen of the old one that was not loaded yet is gone: the page is loaded
 * anew, once in ten seconds at most. A part that does not come for another reason, such as a network that is gone, is
 * told where it is wanted; loading the page then would lose it.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced())
}

async function reloadIfReplaced(): Promise<void> {
  if (!(await isReplaced())) return
  if (unsaved.size > 0) return tellReplaced()
  if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 10_000) return
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
}

/** Whether the server is there, and gives this screen with another program than the one that runs here. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src')
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    return own != null && answer.ok && !answer.redirected && !(await answer.text()).includes(own)
  } catch {
    return false
  }
}
