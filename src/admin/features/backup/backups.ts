import { queryOptions } from '@tanstack/react-query'
import type { Backups } from '../../../contract/backups.ts'
import { intlTagOf } from '../../../contract/locales.ts'
import { api, isSignedOut, parseResponse } from '../../client.ts'
import { useLocale } from '../../i18n.ts'

/** The polling intervals, with and without an unfinished backup or test restore. */
const busyMs = 2_000
const idleMs = 60_000

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async (): Promise<Backups> => parseResponse(api.backups.$get()),
  refetchInterval: (query) => !isSignedOut(query) && (query.state.data && isBusy(query.state.data) ? busyMs : idleMs),
})

const isBusy = ({ runs, proofs }: Backups) =>
  [...runs, ...proofs].some(({ state }) => state === 'waiting' || state === 'running')

/** Returns a function that writes a duration in seconds, or from two minutes on in minutes. */
export function useDurationText(): (ms: number) => string {
  const locale = intlTagOf(useLocale())
  const format = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { style: 'unit', unitDisplay: 'long', ...options })
  const seconds = format({ unit: 'second', maximumSignificantDigits: 2 })
  const minutes = format({ unit: 'minute', maximumFractionDigits: 0 })
  return (ms) => (ms < 120_000 ? seconds.format(Math.max(0, ms) / 1_000) : minutes.format(ms / 60_000))
}
