import { ExplainedError } from '../i18n/reason.ts'

/** Waits for `work`. @throws {ExplainedError} when it takes longer than `ms`; the work is not stopped */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ExplainedError({ key: 'noAnswer', seconds: ms / 1_000 })), ms)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
