import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { isUnreachable } from '../client.ts'
import { say, useText } from '../i18n.ts'
import { Boundary } from './boundary.tsx'
import { tellFailure } from './notify.tsx'
import { Failed, NotLoaded, Waiting } from './states.tsx'

/** What can be brought before it is wanted. */
interface Coming {
  load(): Promise<unknown>
}

/**
 * A part of a screen that comes when it is first drawn. One that did not come says so in its place and is asked for
 * anew, and what stands around it stays as it is.
 * @param waiting stands in its place until it is there; what has none is small, and so is what tells that it failed
 */
export function later<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ((props: Props) => ReactNode) & Coming {
  let coming: Promise<ComponentType<Props>> | undefined
  let failed: { error: unknown } | undefined
  const come = () => {
    coming ??= bring().catch((error) => {
      failed = { error }
      throw error
    })
    return coming
  }
  // React keeps what became of a lazy component, so a new try takes a new one.
  const anew = () => lazy(async () => ({ default: (await come()) as ComponentType<object> }))
  let Part = anew()
  const forgetFailure = () => {
    if (!failed) return
    failed = coming = undefined
    Part = anew()
  }
  const Drawn = (props: Props) => <Part {...props} />

  function Later(props: Props) {
    const t = useText()
    // What failed somewhere else may come here.
    useState(forgetFailure)
    const instead = (error: unknown, again: () => void) => {
      // What is drawn wrongly is not ours to tell.
      if (error !== failed?.error) throw error
      const retry = () => {
        forgetFailure()
        again()
      }
      if (waiting !== null) return <Failed error={error} retry={retry} />
      const why = t(isUnreachable(error) ? 'states.unreachable' : 'states.broken')
      return <NotLoaded text={`${t('states.notLoaded')}. ${why}`} retry={retry} />
    }
    return (
      <Boundary instead={instead}>
        <Suspense fallback={waiting}>
          <Drawn {...props} />
        </Suspense>
      </Boundary>
    )
  }
  const load = () => {
    forgetFailure()
    return come()
  }
  return Object.assign(Later, { load })
}

/**
 * A whole screen, for its route. The router's own way of this loads the page anew when a screen does not come, also
 * without a network.
 * @param name what the screen's file calls it
 */
export function laterScreen<Name extends string>(bring: () => Promise<Record<Name, ComponentType>>, name: Name) {
  const Screen = later(async () => (await bring())[name], <Waiting />)
  // That it did not come is told where it would stand.
  return Object.assign(Screen, { preload: () => Screen.load().then(nothing, nothing) })
}

const nothing = () => {}

/** Opens what somebody asked for once it has come; that it did not is told. */
export async function openWhenHere(part: Coming, open: () => void): Promise<void> {
  try {
    await part.load()
    open()
  } catch (error) {
    tellFailure(say('states.notLoaded'), error)
  }
}

/** No part of a screen comes this long: what is to be seen at once is there. */
const quietMs = 3_000

/**
 * Brings what may be wanted later once nothing comes any more that is to be seen first, so that it is there without a
 * network and after a new version took the place of this one.
 */
export function useSoon(parts: readonly Coming[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of a screen are always the same
  useEffect(() => {
    const bring = () => {
      watch.disconnect()
      // What does not come now is asked for when it is wanted.
      for (const part of parts) part.load().catch(() => {})
    }
    let timer = setTimeout(bring, quietMs)
    const watch = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(bring, quietMs)
    })
    watch.observe({ type: 'resource' })
    return () => {
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
