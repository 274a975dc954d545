import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SiteParts } from '../../../../contract/config-parts.ts'
import { lazyPart, openWhenLoaded } from '../../../components/lazy-part.tsx'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'

const FilePicker = lazyPart(async () => (await import('../../files/file-picker.tsx')).FilePicker)

interface Values extends Record<string, unknown> {
  logo: SiteParts['logo']
}

export const logo: PartDefinition<Values> = {
  valuesOf: ({ logo }) => ({ logo }),
  partsOf: ({ logo }) => ({ logo }),
  Fields,
}

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const [choosing, setChoosing] = useState(false)
  const { src } = form.getValues().logo
  const wrong = form.errors['logo.src']
  return (
    <Section title={t('config.screens.logo.title')} lead={t('config.logo.help')}>
      <div className={styles.logos}>
        {[96, 40, 16].map((size) => (
          <span key={size}>
            <img src={src} width={size} height={size} alt={size === 96 ? t('config.logo.now') : ''} />
          </span>
        ))}
      </div>
      <p className={styles.help}>{t('config.logo.sizes')}</p>
      <div className="row">
        <Button variant="default" onClick={() => void openWhenLoaded(FilePicker, () => setChoosing(true))}>
          {t('config.logo.choose')}
        </Button>
        <bdi dir="ltr" className="quiet small">
          {decodeURI(src)}
        </bdi>
      </div>
      {wrong && (
        <p role="alert" className={styles.error}>
          {wrong}
        </p>
      )}
      {choosing && (
        <FilePicker
          kind="picture"
          onChoose={({ url }) => {
            form.setFieldValue('logo.src', url)
            form.clearFieldError('logo.src')
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Section>
  )
}
