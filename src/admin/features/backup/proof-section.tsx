import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { BackupProof, Backups } from '../../../contract/backups.ts'
import { api, parseResponse } from '../../client.ts'
import { siteTimeText } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useDurationText } from './backups.ts'

/** Whether the newest backup can be restored, and what would be lost if that were needed now. */
export function ProofSection({ backups: { proofs, lost } }: { backups: Backups }) {
  const t = useText()
  const locale = useLocale()
  const queries = useQueryClient()
  const ask = useMutation({
    mutationFn: async () => void (await parseResponse(api.backups.proofs.$post())),
    onSuccess: () => notify(t('backups.proof.asked')),
    onError: (error) => notifyFailure(t('backups.proof.notAsked'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['backups'] }),
  })
  const [newest] = proofs
  const isOpen = newest?.state === 'waiting' || newest?.state === 'running'
  const ended = proofs.find(({ state }) => state !== 'waiting' && state !== 'running')
  const actions = lost && (
    <Button leftSection={<ShieldCheck />} loading={ask.isPending || isOpen} onClick={() => ask.mutate()}>
      {t('backups.proof.now')}
    </Button>
  )
  return (
    <Section title={t('backups.proof.title')} lead={t('backups.proof.lead')} actions={actions}>
      {ended ? <Outcome proof={ended} /> : <p className="flush">{t('backups.proof.none')}</p>}
      {lost && (
        <p className="flush">
          {t('backups.proof.lost', { date: siteTimeText(new Date(lost.since), locale, t), ...lost })}
        </p>
      )}
    </Section>
  )
}

const colors = { proved: 'brand', failed: 'red', unknown: 'yellow' } as const

function Outcome({ proof }: { proof: BackupProof }) {
  const t = useText()
  const locale = useLocale()
  const duration = useDurationText()
  const { findings, startedAt, finishedAt, backupAt, reason } = proof
  const {
    signedIn,
    damagedFiles: _,
    ...found
  }: NonNullable<BackupProof['findings']> = findings ?? {
    signedIn: false,
    rows: 0,
    files: 0,
    pages: 0,
    changedPages: 0,
  }
  const outcome = proof.state as keyof typeof colors
  const time = (at: string) => siteTimeText(new Date(at), locale, t)
  return (
    <>
      <Alert color={colors[outcome]} title={t(`backups.proof.outcomes.${outcome}`)}>
        {reason === 'interrupted' && t('backups.proof.interrupted')}
        {reason !== '' && reason !== 'interrupted' && <bdi>{reason}</bdi>}
        {outcome === 'proved' && (
          <>
            {t('backups.proof.found', found)}
            {found.changedPages > 0 && ` ${t('backups.proof.changed', found)}`}{' '}
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
