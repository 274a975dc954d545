import { Resolver } from 'node:dns/promises'

/** Sends a DNS query. Rejects with an error; `isNoRecord` tells whether there is no record, or the lookup failed. */
export type Resolve = (name: string, type: string) => Promise<string[][] | string[]>

/** The timeout of one attempt. A query has two attempts, and ends within about six seconds. */
const queryTimeoutMs = 2_000

/** @param server the address of a DNS server, with a port if it is not 53; undefined: those of the system */
export function createResolve(server?: string): Resolve {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2, maxTimeout: queryTimeoutMs })
  if (server) resolver.setServers([server])
  return async (name, type) => (await resolver.resolve(name, type)) as string[][] | string[]
}

/** Whether an error of a lookup means that the record does not exist. */
export const isNoRecord = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '')

/** Whether an error comes from Node's resolver. */
export const isDnsError = (error: unknown): boolean =>
  String((error as { syscall?: unknown } | undefined)?.syscall).startsWith('query')
