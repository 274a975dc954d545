const key = 'reloaded-at'

/**
 * After a new version was put in place, a screen of the old one that was not loaded yet is gone: the page is loaded
 * anew, once in ten seconds at most. Unsaved changes make the browser ask first.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 10_000) return
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}
