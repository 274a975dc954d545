import { Refusal } from '../contract/errors.ts'
import type { createApi } from '../http/api.ts'
import type { Route } from './document.ts'

/** Tells who uses a method that a path does not know which ones it does. Belongs after all routes. */
export function refuseOtherMethods(api: Pick<ReturnType<typeof createApi>, 'all'>, routes: readonly Route[]): void {
  const methods = Map.groupBy(routes, ({ path }) => path)
  for (const [path, some] of methods) {
    const allow = some.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    api.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {
      throw new Refusal('method_not_allowed', { allow })
    })
  }
}
