/** Calls `create` at the first use, and again after a failure. `ifCreated` gives the result without a call. */
export function lazy<T>(create: () => Promise<T>): (() => Promise<T>) & { ifCreated(): Promise<T | undefined> } {
  let created: Promise<T> | undefined
  const get = () => {
    created ??= create().catch((error) => {
      created = undefined
      throw error
    })
    return created
  }
  return Object.assign(get, { ifCreated: async () => created?.catch(() => undefined) })
}
