import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Page } from '../../components/page.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { configQuery, configScreens, toSeeConfig } from './config.ts'
import { PartForm } from './part-form.tsx'
import { parts } from './parts.ts'

/** One part of the settings. */
export function PartPage() {
  const t = useText()
  const { part } = useParams({ from: '/admin/config/$part' })
  const maySee = useRight(...toSeeConfig)
  const { data, error, refetch } = useQuery({ ...configQuery, enabled: maySee })
  const screen = configScreens.find((one) => one === part)
  if (!screen) return <NotFound />
  return (
    <Page
      title={t(`config.screens.${screen}.title`)}
      lead={t(`config.screens.${screen}.lead`)}
      back={{ to: '/admin/config', label: t('config.back') }}
    >
      {!maySee && <NoRight />}
      {maySee && !data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={5} />)}
      {data && <PartForm key={screen} configuration={data} part={parts[screen]} />}
    </Page>
  )
}
