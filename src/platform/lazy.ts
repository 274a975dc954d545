/** Calls `make` at the first use; a failure is not remembered. `made` gives what exists, without making it. */
export function lazy<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): Promise<T | undefined> } {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  return Object.assign(get, { made: async () => made?.catch(() => undefined) })
}
