import { Button, Input } from '@mantine/core'
import { ImagePlus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { later, openWhenHere } from '../../components/later.tsx'
import { useText } from '../../i18n.ts'
import styles from './page-form.module.css'

const FilePicker = later(async () => (await import('../files/file-picker.tsx')).FilePicker)

/** The picture that a card of this page shows, where somebody shares it. */
export function PictureField(props: {
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (url: string) => void
}) {
  const { value, error, disabled, onChange } = props
  const t = useText()
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  return (
    <Input.Wrapper
      label={t('pages.fields.picture')}
      description={t('pages.seo.pictureHelp')}
      error={error}
      labelElement="div"
      id={id}
      data-page-field="picture"
    >
      <div className={styles.picture}>
        {value && <img src={value} alt={t('pages.seo.pictureNow')} />}
        <div className="row">
          <Button
            variant="default"
            disabled={disabled}
            leftSection={<ImagePlus size={18} aria-hidden />}
            aria-invalid={error ? true : undefined}
            onClick={() => void openWhenHere(FilePicker, () => setChoosing(true))}
          >
            {t(value ? 'pages.seo.pictureOther' : 'pages.seo.pictureChoose')}
          </Button>
          {value && !disabled && (
            <Button variant="subtle" leftSection={<X size={18} aria-hidden />} onClick={() => onChange('')}>
              {t('pages.seo.pictureNone')}
            </Button>
          )}
        </div>
      </div>
      {choosing && (
        <FilePicker
          kind="picture"
          onClose={() => setChoosing(false)}
          onChoose={(file) => {
            setChoosing(false)
            onChange(file.url)
          }}
        />
      )}
    </Input.Wrapper>
  )
}
