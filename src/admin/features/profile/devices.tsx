import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { Device } from '../../../contract/profile.ts'
import { answer, api } from '../../client.ts'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { Section } from '../../components/section.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import styles from './profile.module.css'
import { devicesQuery } from './profile.ts'
import { isPhone, nameOfAgent } from './user-agent.ts'

/** Where the account is signed in, with a button to end each. */
export function Devices() {
  const t = useText()
  const queries = useQueryClient()
  const { data: devices, error, refetch } = useQuery(devicesQuery)
  const end = useMutation({
    mutationFn: (device: Device | 'others') =>
      device === 'others'
        ? answer(api.profile.sessions.$delete())
        : answer(api.profile.sessions[':id'].$delete({ param: { id: String(device.id) } })),
    onSuccess: (_done, device) => tell(t(device === 'others' ? 'profile.devices.endedAll' : 'profile.devices.ended')),
    onError: (error) => tellFailure(t('profile.devices.notEnded'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
  return (
    <Section
      title={t('profile.devices.title')}
      lead={t('profile.devices.lead')}
      actions={
        devices &&
        devices.length > 1 && (
          <Button
            variant="default"
            loading={end.isPending && end.variables === 'others'}
            onClick={() => end.mutate('others')}
          >
            {t('profile.devices.endAll')}
          </Button>
        )
      }
    >
      {!devices && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={2} />)}
      <ul className={styles.things}>
        {devices?.map((device) => (
          <li key={device.id}>
            {isPhone(device.userAgent) ? <Smartphone size={20} aria-hidden /> : <Monitor size={20} aria-hidden />}
            <div className={styles.thing}>
              <bdi>{nameOfAgent(device.userAgent) ?? t('profile.devices.unknown')}</bdi>
              <small className="quiet">
                <Said
                  text="profile.devices.seen"
                  seen={<Moment at={device.lastSeenAt} />}
                  since={<Moment at={device.signedInAt} />}
                />
              </small>
            </div>
            {device.current ? (
              <Badge size="lg" variant="light">
                {t('profile.devices.current')}
              </Badge>
            ) : (
              <Button
                variant="default"
                loading={end.isPending && end.variables === device}
                aria-label={t('profile.devices.endOne', {
                  name: nameOfAgent(device.userAgent) ?? t('profile.devices.unknown'),
                })}
                onClick={() => end.mutate(device)}
              >
                {t('profile.devices.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
