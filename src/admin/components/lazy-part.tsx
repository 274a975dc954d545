import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { isUnreachable } from '../client.ts'
import { type TextPart, translate, useText, withTexts } from '../i18n.ts'
import { notifyFailure } from './notify.tsx'
import { ErrorBoundary, ErrorState, InlineError, Loading } from './states.tsx'

/** A component whose code can be loaded before it is rendered. */
interface Preloadable {
  load(): Promise<unknown>
}

/**
 * Creates a component whose code is loaded on first render. If loading fails, an error with a retry button takes its
 * place (a block if there is a `fallback`, otherwise one line), and the rest of the screen stays as it is.
 * @param fallback shown while loading
 */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ((props: Props) => ReactNode) & Preloadable {
  // The state of loading, which all mounted instances share.
  let loadingPromise: Promise<ComponentType<Props>> | undefined
  let LoadedPart: ComponentType<Props> | undefined
  let hasFailed = false
  const loadErrors = new Set<unknown>()
  const loadOnce = () => {
    loadingPromise ??= importPart().then(
      (part) => {
        LoadedPart = part
        return part
      },
      (error) => {
        hasFailed = true
        loadErrors.add(error)
        throw error
      },
    )
    return loadingPromise
  }
  // React caches the result of a lazy component, so a retry needs a new one.
  const createLazy = () => lazy(async () => ({ default: (await loadOnce()) as ComponentType<object> }))
  let Part = createLazy()
  const resetAfterFailure = () => {
    if (!hasFailed) return
    hasFailed = false
    loadingPromise = undefined
    Part = createLazy()
  }
  // Reads `Part` at each render, because a reset replaces it.
  const CurrentPart = (props: Props) => <Part {...props} />

  function LazyPart(props: Props) {
    const t = useText()
    // The initialiser runs once for each mount: a new mount retries what failed to load before.
    useState(resetAfterFailure)
    // Rendered without Suspense, whose fallback React would leave on the screen for 300 ms.
    const [PreloadedPart] = useState(() => LoadedPart)
    if (PreloadedPart) return <PreloadedPart {...props} />
    const renderError = (error: unknown, renderAgain: () => void) => {
      // An error of rendering the component is for the next error boundary.
      if (!loadErrors.has(error)) throw error
      const retry = () => {
        resetAfterFailure()
        renderAgain()
      }
      if (fallback !== null) return <ErrorState error={error} retry={retry} />
      const reason = t(isUnreachable(error) ? 'states.unreachable' : 'states.broken')
      return <InlineError text={`${t('states.notLoaded')}. ${reason}`} retry={retry} />
    }
    return (
      <ErrorBoundary fallback={renderError}>
        <Suspense fallback={fallback}>
          <CurrentPart {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  const load = () => {
    resetAfterFailure()
    return loadOnce()
  }
  return Object.assign(LazyPart, { load })
}

/**
 * Creates the lazy component of a route's screen. The router's own lazy loading would reload the page when a screen
 * fails to load, even without a network.
 * @param name the name of the component among the exports of the imported file
 * @param texts the screen texts to load with the component
 */
export function lazyScreen<Name extends string>(
  importScreen: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  texts: readonly TextPart[] = [],
) {
  const Screen = lazyPart(async () => (await withTexts(texts, importScreen)())[name], <Loading />)
  // Preloading ignores an error, because rendering the screen loads it again and shows the error.
  return Object.assign(Screen, { preload: () => Screen.load().then(ignore, ignore) })
}

const ignore = () => {}

/** Loads the code of a component and then calls `open`; notifies why loading failed. */
export async function openWhenLoaded(part: Preloadable, open: () => void): Promise<void> {
  try {
    await part.load()
    open()
  } catch (error) {
    notifyFailure(translate('states.notLoaded'), error)
  }
}

/**
 * Preloads components after the page has loaded, so that they are available offline and after a deployment.
 * @param idleMs the page counts as loaded when it has requested no resource for this long
 */
export function usePreload(parts: readonly Preloadable[], idleMs = 3_000): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the components of a screen never change
  useEffect(() => {
    const preload = () => {
      resourceObserver.disconnect()
      // On failure it is loaded again when it is needed.
      for (const part of parts) part.load().catch(() => {})
    }
    let timer = setTimeout(preload, idleMs)
    const resourceObserver = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(preload, idleMs)
    })
    resourceObserver.observe({ type: 'resource' })
    return () => {
      resourceObserver.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
