import { Alert } from '@mantine/core'
import { appearanceOptions, defaultAppearance } from '../../../../contract/config-choices.ts'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { intlTagOf } from '../../../../contract/locales.ts'
import { lowContrastPairs } from '../../../../contract/palette.ts'
import type { SiteConfig } from '../../../../contract/site-config.ts'
import { ChoiceGroup } from '../../../components/choices.tsx'
import { Section } from '../../../components/page.tsx'
import { useLocale, useText } from '../../../i18n.ts'
import { ChooseImage } from '../../files/choose-image.tsx'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { type FormTexts, fromTexts, toTexts } from '../values.ts'

interface BrandValues extends Record<string, unknown> {
  brand: string
  tagline: FormTexts
  url: string
}

export const brand: ScreenDefinition<BrandValues> = {
  valuesOf: ({ brand, tagline, url }) => ({ brand, tagline: toTexts(tagline), url }),
  partsOf: ({ brand, tagline, url }) => ({ brand: brand.trim(), tagline: fromTexts(tagline), url: url.trim() }),
  Fields: BrandFields,
}

function BrandFields({ form }: FieldsProps<BrandValues>) {
  const t = useText()
  return (
    <Section title={t('config.screens.brand.title')}>
      <TextField form={form} path="brand" />
      <TranslatedFields form={form} path="tagline" help={t('config.help.tagline')} />
      <TextField form={form} path="url" help={t('config.help.url')} type="url" dir="ltr" />
    </Section>
  )
}

interface LogoValues extends Record<string, unknown> {
  logo: SiteParts['logo']
}

export const logo: ScreenDefinition<LogoValues> = {
  valuesOf: ({ logo }) => ({ logo }),
  partsOf: ({ logo }) => ({ logo }),
  Fields: LogoFields,
}

function LogoFields({ form }: FieldsProps<LogoValues>) {
  const t = useText()
  const { src } = form.getValues().logo
  const error = form.errors['logo.src']
  return (
    <Section title={t('config.screens.logo.title')} lead={t('config.logo.help')}>
      <div className={styles.logos}>
        {[96, 40, 16].map((size) => (
          <span key={size}>
            <img src={src} width={size} height={size} alt={size === 96 ? t('config.logo.now') : ''} />
          </span>
        ))}
      </div>
      <p className="help">{t('config.logo.sizes')}</p>
      <div className="row">
        <ChooseImage
          onChoose={(url) => {
            form.setFieldValue('logo.src', url)
            form.clearFieldError('logo.src')
          }}
        >
          {t('config.logo.choose')}
        </ChooseImage>
        <bdi dir="ltr" className="quiet small">
          {decodeURI(src)}
        </bdi>
      </div>
      {error && (
        <p role="alert" className="wrong">
          {error}
        </p>
      )}
    </Section>
  )
}

type Appearance = NonNullable<SiteConfig['look']>
interface AppearanceValues extends Record<string, unknown> {
  look: Required<Appearance>
}

const appearanceNames = [
  'fonts',
  'header',
  'search',
  'illustration',
  'scale',
  'headings',
  'corners',
  'edges',
  'panels',
  'buttons',
] as const

export const appearance: ScreenDefinition<AppearanceValues> = {
  valuesOf: ({ look }) => ({ look: { ...defaultAppearance, ...look } }),
  partsOf: ({ look }) => ({ look }),
  Fields: AppearanceFields,
}

function AppearanceFields({ form }: FieldsProps<AppearanceValues>) {
  const t = useText()
  const { look } = form.getValues()
  return (
    <Section title={t('config.screens.look.title')}>
      <div className={styles.choices}>
        {appearanceNames.map((name) => (
          <ChoiceGroup
            key={name}
            legend={t(`config.fields.look.${name}`)}
            options={appearanceOptions[name].map((value) => ({ value, label: t(`config.choices.${value}`) }))}
            chosen={[look[name]]}
            onChoose={([chosen]) => form.setFieldValue(`look.${name}`, chosen as never)}
          />
        ))}
      </div>
    </Section>
  )
}

const colourNames = ['primary', 'secondary', 'accent', 'light', 'dark'] as const
type Palette = SiteParts['palette']
interface PaletteValues extends Record<string, unknown> {
  palette: Palette
}

export const palette: ScreenDefinition<PaletteValues> = {
  valuesOf: ({ palette }) => ({ palette }),
  partsOf: ({ palette }) => ({
    palette: Object.fromEntries(colourNames.map((name) => [name, palette[name].trim()])) as Palette,
  }),
  Fields: PaletteFields,
}

/** `#00aaFF`, as a colour input needs it. */
const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text.trim())

function PaletteFields({ form }: FieldsProps<PaletteValues>) {
  const t = useText()
  const { palette } = form.getValues()
  return (
    <>
      <Section title={t('config.screens.palette.title')}>
        <div className={styles.colours}>
          {colourNames.map((name) => {
            const label = t(`config.fields.palette.${name}`)
            return (
              <div key={name} className={styles.colour}>
                <input
                  type="color"
                  aria-label={t('config.palette.pick', { name: label })}
                  value={isColour(palette[name]) ? palette[name].trim().toLowerCase() : '#000000'}
                  onChange={(event) => form.setFieldValue(`palette.${name}`, event.currentTarget.value.toUpperCase())}
                />
                <TextField form={form} path={`palette.${name}`} label={label} dir="ltr" spellCheck={false} />
              </div>
            )
          })}
        </div>
      </Section>
      {colourNames.every((name) => isColour(palette[name])) && <ContrastReport palette={palette} />}
    </>
  )
}

/** The pairs of colours with too little contrast, and the colours of the palette that determine them. */
function ContrastReport({ palette }: { palette: Palette }) {
  const t = useText()
  const uiLocale = useLocale()
  const lowContrast = lowContrastPairs(palette)
  // Rounded down, so that 4.46 is not shown as the required 4.5.
  const number = new Intl.NumberFormat(intlTagOf(uiLocale), { maximumFractionDigits: 1, roundingMode: 'floor' })
  const list = new Intl.ListFormat(intlTagOf(uiLocale))
  if (lowContrast.length === 0) {
    return (
      <p role="status" className="flush good">
        {t('config.palette.good')}
      </p>
    )
  }
  return (
    <Alert color="red" role="status" title={t('config.palette.faint', { count: lowContrast.length })}>
      {t('config.palette.faintText')}
      <ul className={styles.faint}>
        {lowContrast.map(({ pair, scheme, from, of, on, ratio }) => (
          <li key={pair.name + scheme}>
            <span aria-hidden className={styles.sample} style={{ color: of, background: on }}>
              Aa
            </span>
            <strong>
              {t(`config.palette.pairs.${pair.name}`)} ({t(`config.palette.${scheme}`)})
            </strong>
            <span>
              <bdi>{t('config.palette.ratio', { ratio: number.format(ratio), least: number.format(pair.least) })}</bdi>
              {'. '}
              {t('config.palette.from', {
                colours: list.format(from.map((name) => t(`config.fields.palette.${name}`))),
              })}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
