import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { isUnreachable } from '../client.ts'
import { translate, useText, withTexts } from '../i18n.ts'
import { notifyFailure } from './notify.tsx'
import { ErrorBoundary, Failed, Loading, NotLoaded } from './states.tsx'

/** A component that can be loaded before it is rendered. */
interface Preloadable {
  load(): Promise<unknown>
}

/**
 * A component that is loaded on first render. If loading fails, an error with a retry button is shown in its place, and
 * the rest of the screen stays as it is.
 * @param fallback shown while loading; without it the component is small, and so is its error message
 */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ((props: Props) => ReactNode) & Preloadable {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  let hasFailed = false
  const loadErrors = new Set<unknown>()
  const loadOnce = () => {
    loading ??= importPart().then(
      (part) => {
        loaded = part
        return part
      },
      (error) => {
        hasFailed = true
        loadErrors.add(error)
        throw error
      },
    )
    return loading
  }
  // React caches the result of a lazy component, so a retry needs a new one.
  const createLazy = () => lazy(async () => ({ default: (await loadOnce()) as ComponentType<object> }))
  let Part = createLazy()
  const forgetFailure = () => {
    if (!hasFailed) return
    hasFailed = false
    loading = undefined
    Part = createLazy()
  }
  const Current = (props: Props) => <Part {...props} />

  function LazyPart(props: Props) {
    const t = useText()
    // Retry when the component mounts again after a failure elsewhere.
    useState(forgetFailure)
    // Suspending would show the fallback, which React then leaves for 300 ms.
    const [Ready] = useState(() => loaded)
    if (Ready) return <Ready {...props} />
    const renderError = (error: unknown, reset: () => void) => {
      // Errors while rendering are not loading errors.
      if (!loadErrors.has(error)) throw error
      const retry = () => {
        forgetFailure()
        reset()
      }
      if (fallback !== null) return <Failed error={error} retry={retry} />
      const why = t(isUnreachable(error) ? 'states.unreachable' : 'states.broken')
      return <NotLoaded text={`${t('states.notLoaded')}. ${why}`} retry={retry} />
    }
    return (
      <ErrorBoundary fallback={renderError}>
        <Suspense fallback={fallback}>
          <Current {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  const load = () => {
    forgetFailure()
    return loadOnce()
  }
  return Object.assign(LazyPart, { load })
}

/**
 * A whole screen, for its route. The router's own lazy loading reloads the page when a screen fails to load, even
 * without a network.
 * @param name the export's name in the screen's file
 * @param texts the texts that only some screens need, loaded with it
 */
export function lazyScreen<Name extends string>(
  importPart: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  texts: Parameters<typeof withTexts>[0] = [],
) {
  const Screen = lazyPart(async () => (await withTexts(texts, importPart)())[name], <Loading />)
  // Preloading ignores an error, because rendering the screen loads it again and shows the error.
  return Object.assign(Screen, { preload: () => Screen.load().then(ignore, ignore) })
}

const ignore = () => {}

/** Opens something after its code was loaded, or shows why loading failed. */
export async function openWhenLoaded(part: Preloadable, open: () => void): Promise<void> {
  try {
    await part.load()
    open()
  } catch (error) {
    notifyFailure(translate('states.notLoaded'), error)
  }
}

/**
 * Preloads components when the visible page has loaded, so that they are available offline and after a deployment.
 * @param idleMs after this long without a resource request the visible page has loaded
 */
export function usePreload(parts: readonly Preloadable[], idleMs = 3_000): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the components of a screen never change
  useEffect(() => {
    const preload = () => {
      watch.disconnect()
      // On failure it is loaded again when it is needed.
      for (const part of parts) part.load().catch(() => {})
    }
    let timer = setTimeout(preload, idleMs)
    const watch = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(preload, idleMs)
    })
    watch.observe({ type: 'resource' })
    return () => {
      watch.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
