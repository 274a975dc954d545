import { useEffect, useState } from 'react'
import { onReauthenticate, type ReauthenticateReason } from '../../client.ts'
import { lazyPart } from '../../components/lazy-part.tsx'

const ReauthenticationDialog = lazyPart(async () => (await import('./reauthentication-dialog.tsx')).default)

interface OpenPrompt {
  reason: ReauthenticateReason
  done: (back: boolean) => void
}

/**
 * Asks for the password when a session has ended or a sensitive action requires it. Requests that wait at the same time
 * share one dialog.
 */
export function ReauthenticationPrompt() {
  const [request, setRequest] = useState<OpenPrompt>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    return onReauthenticate((reason) => {
      waiting ??= new Promise<boolean>((resolve) => {
        const done = (back: boolean) => {
          waiting = undefined
          setRequest(undefined)
          resolve(back)
        }
        // If the dialog cannot be loaded, the original error is reported.
        ReauthenticationDialog.load().then(
          () => setRequest({ reason, done }),
          () => done(false),
        )
      })
      return waiting
    })
  }, [])
  return request ? <ReauthenticationDialog {...request} /> : null
}
