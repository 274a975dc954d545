import { ExplainedError } from '../i18n/reason.ts'

/** @throws {ExplainedError} when `work` takes longer; it is not stopped */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ExplainedError({ key: 'noAnswer', seconds: ms / 1_000 })), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
