import { lazy, Suspense, useEffect, useState } from 'react'
import { type AskReason, whenAsked } from '../../client.ts'

const PasswordAgain = lazy(() => import('./password-again.tsx'))

interface Asked {
  reason: AskReason
  done: (back: boolean) => void
}

/**
 * Asks for the password in place, when a session has ended or a risky action wants it again. However many requests
 * wait for it, it is asked once.
 */
export function AskAgain() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    return whenAsked((reason) => {
      waiting ??= new Promise<boolean>((resolve) => {
        const done = (back: boolean) => {
          waiting = undefined
          setAsked(undefined)
          resolve(back)
        }
        setAsked({ reason, done })
      })
      return waiting
    })
  }, [])
  return asked ? (
    <Suspense>
      <PasswordAgain {...asked} />
    </Suspense>
  ) : null
}
