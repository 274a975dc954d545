import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { type Locale, localeNames, locales } from '../../../../contract/locales.ts'
import type { StoredBlock } from '../../../../contract/site-config.ts'
import { TextLink } from '../../../components/buttons.tsx'
import { Choices } from '../../../components/choices.tsx'
import { Section } from '../../../components/page.tsx'
import { type TextKey, useLocale, useText } from '../../../i18n.ts'
import { SiteBlocksOffered } from '../../blocks/add-block.tsx'
import { BlockList } from '../../blocks/block-list.tsx'
import { type Problems, problemsUnder } from '../../blocks/problems.ts'
import { HasStyle } from '../../blocks/style-fields.tsx'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

type Bar = keyof SiteParts['branding']
type Area = { nl: StoredBlock[]; fa: StoredBlock[] | undefined }

interface Values extends Record<string, unknown> {
  branding: Record<string, Record<string, Area>>
}

const areaNames = {
  navbar: ['top', 'desktop', 'mobile'],
  footer: ['left', 'right', 'bottom'],
} as const

/** One bar of the site: three areas, each with a list of blocks per language. */
const bar = (name: Bar): PartDefinition<Values> => ({
  valuesOf: ({ branding }) => ({
    branding: {
      [name]: Object.fromEntries(
        Object.entries(branding[name]).map(([area, { nl, fa }]) => [area, { nl, fa: fa as StoredBlock[] | undefined }]),
      ),
    },
  }),
  partsOf: ({ branding }, config) => ({
    branding: {
      ...config.branding,
      [name]: Object.fromEntries(
        Object.entries(branding[name] ?? {}).map(([area, { nl, fa }]) => [
          area,
          fa === undefined ? { nl } : { nl, fa },
        ]),
      ),
    },
  }),
  Fields: (props) => <Areas bar={name} {...props} />,
  ...(name === 'footer' && { shows: name }),
})

export const navbar = bar('navbar')
export const footer = bar('footer')

function Areas({ bar, form }: FieldsProps<Values> & { bar: Bar }) {
  const t = useText()
  return (
    <HasStyle value={false}>
      {bar === 'navbar' && (
        <p className="flush quiet">
          {t('config.areas.menuElsewhere')}{' '}
          <TextLink to="/admin/config/$part" params={{ part: 'menu' }} underline="always">
            {t('config.screens.menu.title')}
          </TextLink>
        </p>
      )}
      {areaNames[bar].map((area) => (
        <OneArea key={area} bar={bar} area={area} form={form} />
      ))}
    </HasStyle>
  )
}

function OneArea({ bar, area, form }: Pick<FieldsProps<Values>, 'form'> & { bar: Bar; area: string }) {
  const t = useText()
  const [locale, setLocale] = useState<Locale>(useLocale())
  const path = `branding.${bar}.${area}`
  const value = form.getValues().branding[bar]?.[area] ?? { nl: [], fa: undefined }
  const blocks = value[locale]
  const title = t(`config.fields.areas.${bar}.${area}` as TextKey)
  const problems = problemsUnder(form.errors as Problems, `${path}.${locale}`)
  const set = (changed: StoredBlock[] | undefined) => {
    form.setFieldValue(`${path}.${locale}`, changed as never)
    if (Object.keys(problems).length > 0) form.clearErrors()
  }
  return (
    <Section title={title}>
      <div className="row">
        <Choices
          legend={<span className="unseen">{t('config.preview.locale')}</span>}
          options={locales.map((one) => ({ value: one, label: localeNames[one] }))}
          chosen={[locale]}
          onChoose={([chosen]) => setLocale(chosen as Locale)}
        />
        {value.fa === undefined && <span className={styles.missing}>{t('config.areas.missing')}</span>}
      </div>
      {blocks === undefined ? (
        <div className="row">
          <Button variant="default" onClick={() => set(structuredClone(value.nl))}>
            {t('config.areas.copy')}
          </Button>
        </div>
      ) : (
        <SiteBlocksOffered value={true}>
          <BlockList
            key={locale}
            value={blocks}
            onChange={set}
            locale={locale}
            problems={problems}
            most={50}
            label={`${title} (${localeNames[locale]})`}
          />
        </SiteBlocksOffered>
      )}
    </Section>
  )
}
