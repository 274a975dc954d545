import { Button, Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useId, useState } from 'react'
import { logo as brandMark } from '../../../blocks/define-block.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { addressesIn } from '../../../contract/pictures.ts'
import { useText } from '../../i18n.ts'
import { FilePicker } from '../files/file-picker.tsx'
import styles from './blocks.module.css'
import { PictureDrop } from './picture-drop.tsx'
import { sceneQuery } from './scene.ts'

/** One picture: chosen from the files, dropped in, or the brand's mark where that may be. */
export function PictureField(props: {
  label: string
  value: string
  optional: boolean
  logo: boolean
  onChange: (value: string | undefined) => void
  onChoose: (file: StoredFile) => void
  problem: string | undefined
}) {
  const { label, value, optional, logo, onChange, onChoose, problem } = props
  const t = useText()
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  const isLogo = value === brandMark
  const choose = t(value ? 'blocks.picture.another' : 'blocks.picture.choose')
  const name = isLogo ? t('blocks.picture.logo') : nameOf(value)
  return (
    <fieldset className={styles.group} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      <div className={styles.picture}>
        {isLogo ? <Mark /> : value ? <Small src={value} /> : <NoPicture />}
        <bdi>{name || t('blocks.picture.none')}</bdi>
      </div>
      {problem && (
        <Input.Error id={id} role="alert">
          {problem}
        </Input.Error>
      )}
      <div className="row">
        <Button
          variant="default"
          aria-label={`${choose}: ${label}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {choose}
        </Button>
        {logo && !isLogo && (
          <Button variant="subtle" onClick={() => onChange(brandMark)}>
            {t('blocks.picture.useLogo')}
          </Button>
        )}
        {optional && value && (
          <Button variant="subtle" color="red" onClick={() => onChange(undefined)}>
            {t('blocks.picture.remove')}
          </Button>
        )}
      </div>
      <PictureDrop onStored={onChoose} />
      {choosing && (
        <FilePicker
          kind="picture"
          onChoose={(file) => {
            onChoose(file)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}

const NoPicture = () => <ImageOff size={28} strokeWidth={1.25} aria-hidden />

/** The brand's own. */
function Mark() {
  const { data } = useQuery(sceneQuery([]))
  return data ? <img src={data.site.logo.src} alt="" /> : <NoPicture />
}

/** The smallest of an upload's widths; nothing yet while they are being made. */
function Small({ src }: { src: string }) {
  const [address] = addressesIn(src)
  const { data } = useQuery({ ...sceneQuery([{ type: src }]), enabled: address !== undefined })
  if (address === undefined) return <img src={src} alt="" loading="lazy" />
  const picture = data?.pictures[address]
  if (!picture) return <NoPicture />
  const smallest = picture.sources[0]?.srcSet.split(' ')[0]
  return <img src={smallest ?? (picture.src || (picture.placeholder ?? undefined))} alt="" loading="lazy" />
}

/** The end of an address, as a person reads it. */
function nameOf(url: string): string {
  const end = url.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(end)
  } catch {
    return end
  }
}
