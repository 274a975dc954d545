import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { BackupProof, Backups, ProofFindings } from '../../../contract/backups.ts'
import { api, parseResponse } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useDurationText } from './backups.ts'

/** The result of the last test restore (`proof` in the API), and what a restore of the newest backup would lose. */
export function TestRestoreSection({ backups: { proofs, lost } }: { backups: Backups }) {
  const t = useText()
  const locale = useLocale()
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: async () => void (await parseResponse(api.backups.proofs.$post())),
    onSuccess: () => notify(t('backups.proof.asked')),
    onError: (error) => notifyFailure(t('backups.proof.notAsked'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['backups'] }),
  })
  const isUnfinished = ({ state }: BackupProof) => state === 'waiting' || state === 'running'
  const [newest] = proofs
  const isBusy = newest !== undefined && isUnfinished(newest)
  const lastFinished = proofs.find((proof) => !isUnfinished(proof))
  const actions = lost && (
    <Button leftSection={<ShieldCheck />} loading={request.isPending || isBusy} onClick={() => request.mutate()}>
      {t('backups.proof.now')}
    </Button>
  )
  return (
    <Section title={t('backups.proof.title')} lead={t('backups.proof.lead')} actions={actions}>
      {lastFinished ? <Outcome proof={lastFinished} /> : <p className="flush">{t('backups.proof.none')}</p>}
      {lost && (
        <p className="flush">
          {t('backups.proof.lost', { date: siteTimeText(new Date(lost.since), locale, t), ...lost })}
        </p>
      )}
    </Section>
  )
}

const colors = { proved: 'brand', failed: 'red', unknown: 'yellow' } as const

const noFindings: ProofFindings = { signedIn: false, rows: 0, files: 0, pages: 0, changedPages: 0 }

function Outcome({ proof }: { proof: BackupProof }) {
  const t = useText()
  const locale = useLocale()
  const duration = useDurationText()
  const { findings, startedAt, finishedAt, backupAt, reason } = proof
  const { signedIn, damagedFiles: _, ...counts } = findings ?? noFindings
  const outcome = proof.state as keyof typeof colors
  const time = (at: string) => siteTimeText(new Date(at), locale, t)
  return (
    <>
      <Alert role="status" color={colors[outcome]} title={t(`backups.proof.outcomes.${outcome}`)}>
        {reason === 'interrupted' && t('backups.proof.interrupted')}
        {reason !== '' && reason !== 'interrupted' && <bdi>{reason}</bdi>}
        {outcome === 'proved' && (
          <>
            {t('backups.proof.found', counts)}
            {counts.changedPages > 0 && ` ${t('backups.proof.changed', counts)}`}{' '}
            {t(signedIn ? 'backups.proof.signedIn' : 'backups.proof.nobody')}
          </>
        )}
      </Alert>
      <Facts
        facts={[
          ...(backupAt ? [{ label: t('backups.proof.backupOf'), value: time(backupAt) }] : []),
          ...(finishedAt ? [{ label: t('backups.proof.tried'), value: time(finishedAt) }] : []),
          ...(startedAt && finishedAt
            ? [{ label: t('backups.took'), value: duration(Date.parse(finishedAt) - Date.parse(startedAt)) }]
            : []),
        ]}
      />
    </>
  )
}
