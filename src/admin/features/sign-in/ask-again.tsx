import { useEffect, useState } from 'react'
import { type AskReason, whenAsked } from '../../client.ts'
import { later } from '../../components/later.tsx'

const PasswordAgain = later(async () => (await import('./password-again.tsx')).default)

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
        // Who cannot be asked did not come back: what was refused is told as it is.
        PasswordAgain.load().then(
          () => setAsked({ reason, done }),
          () => done(false),
        )
      })
      return waiting
    })
  }, [])
  return asked ? <PasswordAgain {...asked} /> : null
}
