import { Resolver } from 'node:dns/promises'

/** A DNS query. Rejects with a `code`: `ENOTFOUND` and `ENODATA` mean that there is no record, others a failed lookup. */
export type Resolve = (name: string, type: string) => Promise<string[][] | string[]>

/** Each question is tried twice, so it ends within about six seconds. */
const questionMs = 2_000

/** @param server its address, with a port if it is not 53; undefined: the resolver of the system */
export function createResolve(server?: string): Resolve {
  const resolver = new Resolver({ timeout: questionMs, tries: 2, maxTimeout: questionMs })
  if (server) resolver.setServers([server])
  return async (name, type) => (await resolver.resolve(name, type)) as string[][] | string[]
}

/** Whether an error says that the record does not exist, and not that it could not be looked up. */
export const isNoRecord = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '')

export const isDnsError = (error: unknown): boolean =>
  String((error as { syscall?: unknown } | undefined)?.syscall).startsWith('query')
