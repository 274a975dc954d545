import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ConfigScreen, configScreens } from '../../../contract/admin-start.ts'
import { NotFound, Page } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { configQuery, configReadRights } from './config.ts'
import { footer, navbar } from './forms/areas.tsx'
import { business } from './forms/business.tsx'
import { collections } from './forms/collections.tsx'
import { contact, sender } from './forms/contact.tsx'
import { forms } from './forms/forms.tsx'
import { appearance, brand, logo, palette } from './forms/identity.tsx'
import { legal } from './forms/legal.tsx'
import { locales } from './forms/locales.tsx'
import { menu } from './forms/menu.tsx'
import { offer } from './forms/offer.tsx'
import { retention } from './forms/retention.tsx'
import { spam } from './forms/spam.tsx'
import { seo, texts } from './forms/texts.tsx'
import { ConfigScreenForm, type ScreenDefinition } from './part-form.tsx'

/** A settings screen: the form of some parts of the configuration. */
export function PartPage() {
  const t = useText()
  const { part } = useParams({ from: '/admin/config/$part' })
  const maySee = useRight(...configReadRights)
  const { data, error, refetch } = useQuery({ ...configQuery, enabled: maySee })
  const screen = configScreens.find((name) => name === part)
  if (!screen) return <NotFound />
  return (
    <Page
      title={t(`config.screens.${screen}.title`)}
      lead={t(`config.screens.${screen}.lead`)}
      back={{ to: '/admin/config', label: t('config.back') }}
      allowed={maySee}
    >
      {data ? (
        <ConfigScreenForm key={screen} configuration={data} definition={definitions[screen]} />
      ) : (
        <LoadingOrError error={error} refetch={refetch} rows={5} />
      )}
    </Page>
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the values of a form are read only by its own definition
const definitions: Record<ConfigScreen, ScreenDefinition<any>> = {
  brand,
  logo,
  palette,
  look: appearance,
  offer,
  collections,
  business,
  menu,
  navbar,
  footer,
  seo,
  contact,
  forms,
  spam,
  retention,
  sender,
  legal,
  locales,
  texts,
}
