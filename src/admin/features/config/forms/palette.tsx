import { Alert } from '@mantine/core'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { intlTagOf } from '../../../../contract/locales.ts'
import { lowContrastPairs } from '../../../../contract/palette.ts'
import { Section } from '../../../components/page.tsx'
import { useLocale, useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField } from '../text-fields.tsx'

const names = ['primary', 'secondary', 'accent', 'light', 'dark'] as const
type Palette = SiteParts['palette']
interface Values extends Record<string, unknown> {
  palette: Palette
}

export const palette: PartDefinition<Values> = {
  valuesOf: ({ palette }) => ({ palette }),
  partsOf: ({ palette }) => ({
    palette: Object.fromEntries(names.map((name) => [name, palette[name].trim()])) as Palette,
  }),
  Fields,
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text.trim())

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const { palette } = form.getValues()
  return (
    <>
      <Section title={t('config.screens.palette.title')}>
        <div className={styles.colours}>
          {names.map((name) => {
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
      {names.every((name) => isColour(palette[name])) && <Contrast palette={palette} />}
    </>
  )
}

/** Lists colour pairs with too little contrast, and the settings that determine them. */
function Contrast({ palette }: { palette: Palette }) {
  const t = useText()
  const locale = useLocale()
  const faint = lowContrastPairs(palette)
  const number = new Intl.NumberFormat(intlTagOf(locale), { maximumFractionDigits: 1, roundingMode: 'floor' })
  const list = new Intl.ListFormat(intlTagOf(locale))
  if (faint.length === 0) {
    return (
      <p role="status" className="flush good">
        {t('config.palette.good')}
      </p>
    )
  }
  return (
    <Alert color="red" role="status" title={t('config.palette.faint', { count: faint.length })}>
      {t('config.palette.faintText')}
      <ul className={styles.faint}>
        {faint.map(({ pair, scheme, of, on, ratio }) => (
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
                colours: list.format(pair.from.map((name) => t(`config.fields.palette.${name}`))),
              })}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
