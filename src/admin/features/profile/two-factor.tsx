import { Badge, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Profile, TwoFactorStart } from '../../../contract/profile.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { devicesQuery, profileQuery } from './profile.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TurnOffTwoFactor } from './turn-off-two-factor.tsx'
import { VerifyTwoFactor } from './verify-two-factor.tsx'

/** A second step at sign-in: on, off, and the codes for when the app is lost. */
export function TwoFactor({ profile }: { profile: Profile }) {
  const t = useText()
  const queries = useQueryClient()
  const [started, setStarted] = useState<TwoFactorStart>()
  const [codes, setCodes] = useState<string[]>()
  const [ending, setEnding] = useState(false)
  const look = () => {
    void queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    void queries.invalidateQueries({ queryKey: devicesQuery.queryKey })
  }
  const begin = useMutation({
    mutationFn: () => answer(api.profile['two-factor'].$post()),
    onSuccess: (start) => setStarted(start),
    onError: (error) => tellFailure(t('profile.twoFactor.notStarted'), error),
  })
  const renew = useMutation({
    mutationFn: () => answer(api.profile['two-factor']['recovery-codes'].$post()),
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    onError: (error) => tellFailure(t('profile.twoFactor.notRenewed'), error),
  })
  const turnedOn = (recoveryCodes: string[]) => {
    setStarted(undefined)
    setCodes(recoveryCodes)
    tell(t('profile.twoFactor.turnedOn'))
    look()
  }
  const on = profile.twoFactor
  return (
    <Section
      title={t('profile.twoFactor.title')}
      lead={t('profile.twoFactor.lead')}
      actions={
        <Badge size="lg" variant="light" color={on ? 'brand' : 'gray'}>
          {t(on ? 'profile.twoFactor.on' : 'profile.twoFactor.off')}
        </Badge>
      }
    >
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
      {started && <VerifyTwoFactor start={started} onVerified={turnedOn} onCancel={() => setStarted(undefined)} />}
      {!started && !codes && (
        <div className="row">
          {on ? (
            <>
              <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
                {t('profile.twoFactor.renew')}
              </Button>
              <Button variant="default" className="danger" onClick={() => setEnding(true)}>
                {t('profile.twoFactor.turnOff')}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              leftSection={<ShieldCheck size={18} aria-hidden />}
              loading={begin.isPending}
              onClick={() => begin.mutate()}
            >
              {t('profile.twoFactor.turnOn')}
            </Button>
          )}
        </div>
      )}
      {ending && (
        <TurnOffTwoFactor
          hasPassword={profile.hasPassword}
          onClose={() => setEnding(false)}
          onDone={() => {
            setEnding(false)
            tell(t('profile.twoFactor.turnedOff'))
            look()
          }}
        />
      )}
    </Section>
  )
}
