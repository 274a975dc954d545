import { Button, Input, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CloudUpload, ImageOff } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { logo as brandMark } from '../../../blocks/define-block.ts'
import type { FileKind } from '../../../contract/file-types.ts'
import { fileNameFromUrl, publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { useLatest } from '../../components/latest.ts'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { useText } from '../../i18n.ts'
import { FilePicker } from '../files/file-picker.tsx'
import { localImage } from '../files/local-images.ts'
import { UploadList, useSeparateUploads } from '../files/upload-area.tsx'
import type { SentFile } from '../files/upload-queue.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './blocks.module.css'
import { previewDataQuery } from './preview-data.ts'

const CropDialog = lazyPart(async () => (await import('../files/crop-dialog.tsx')).CropDialog)

/** Chooses an image from the files, by upload, or where allowed the site's logo. */
export function ImageField(props: {
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
  const [cropping, setCropping] = useState(false)
  const mayCrop = useRight('files.write')
  const isLogo = value === brandMark
  const name = isLogo ? t('blocks.image.logo') : fileNameFromUrl(value).split('/').at(-1)
  return (
    <FileChoice
      label={label}
      problem={problem}
      choose={t(value ? 'blocks.image.another' : 'blocks.image.choose')}
      kind="picture"
      onChoose={onChoose}
      remove={t('blocks.image.remove')}
      onRemove={optional && value ? () => onChange(undefined) : undefined}
      shown={
        <div className={styles.image}>
          {isLogo ? <SiteLogo /> : value ? <UploadPreview src={value} /> : <NoImage />}
          <bdi>{name || t('blocks.image.none')}</bdi>
        </div>
      }
      actions={
        <>
          {mayCrop && publicFileIdsIn(value).length > 0 && (
            <Button variant="subtle" onClick={() => void openWhenLoaded(CropDialog, () => setCropping(true))}>
              {t('blocks.visual.image.crop')}
            </Button>
          )}
          {logo && !isLogo && (
            <Button variant="subtle" onClick={() => onChange(brandMark)}>
              {t('blocks.image.useLogo')}
            </Button>
          )}
        </>
      }
    >
      <ImageDrop onStored={onChoose} />
      {cropping && <CropDialog url={value} onClose={() => setCropping(false)} />}
    </FileChoice>
  )
}

const NoImage = () => <ImageOff size={28} strokeWidth={1.25} />

/** The site's logo. */
function SiteLogo() {
  const { data } = useQuery(previewDataQuery([]))
  return data ? <img src={data.site.logo.src} alt="" /> : <NoImage />
}

/** The smallest rendition of an upload; the file of this computer while it is being resized. */
function UploadPreview({ src }: { src: string }) {
  const [address] = publicFileIdsIn(src)
  const { data } = useQuery({ ...previewDataQuery([{ type: src }]), enabled: address !== undefined })
  if (address === undefined) return <img src={src} alt="" loading="lazy" />
  const image = data?.pictures[address]
  const smallest = image?.sources[0]?.srcSet.split(' ')[0]
  const shown = smallest ?? localImage(address)?.src ?? (image?.src || image?.placeholder)
  return shown ? <img src={shown} alt="" loading="lazy" /> : <NoImage />
}

interface ImageDropProps {
  several?: boolean
  /** Called when an image was uploaded. */
  onStored: (file: SentFile) => void
}

/** Uploads dropped or chosen images; renders nothing without the right to upload. */
export const ImageDrop = (props: ImageDropProps) => useRight('files.write') && <ImageDropZone {...props} />

function ImageDropZone({ several = false, onStored }: ImageDropProps) {
  const t = useText()
  const latest = useLatest(onStored)
  const work = useSeparateUploads((file) => {
    if (file.kind === 'picture') latest.current(file)
  })
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => work.add(several ? files : files.slice(0, 1)),
    accept: { 'image/*': [] },
    multiple: several,
    noClick: true,
    noKeyboard: true,
  })
  const unfinished = work.uploads.filter(({ state }) => state !== 'done')
  return (
    <div {...getRootProps({ className: styles.drop, 'data-over': isDragActive || undefined, role: undefined })}>
      <p>
        <CloudUpload size={20} strokeWidth={1.5} />
        {isDragActive ? t('files.dropNow') : t(several ? 'blocks.image.dropSeveral' : 'blocks.image.drop')}
      </p>
      <Button variant="subtle" onClick={open}>
        {t('blocks.image.upload')}
      </Button>
      <input {...getInputProps({ 'aria-label': t('blocks.image.upload'), tabIndex: -1 })} />
      {unfinished.length > 0 && <UploadList uploads={unfinished} queue={work.queue} />}
    </div>
  )
}

/** Chooses a film, its captions or any other file; for a video the address of a platform can be typed too. */
export function FileField(props: {
  label: string
  value: string
  kind: 'film' | 'captions' | 'video' | 'file'
  optional: boolean
  onChange: (value: unknown) => void
  problem: string | undefined
}) {
  const { label, value, kind, optional, onChange, problem } = props
  const t = useText()
  return (
    <FileChoice
      label={label}
      problem={problem}
      choose={t(value ? 'blocks.file.another' : 'blocks.file.choose')}
      kind={chosenKinds[kind]}
      onChoose={({ url }) => onChange(url)}
      remove={t('blocks.file.remove')}
      onRemove={optional && value ? () => onChange(undefined) : undefined}
      shown={
        kind === 'video' ? (
          <TextInput
            aria-label={label}
            description={t('blocks.file.videoHelp')}
            dir="ltr"
            inputMode="url"
            spellCheck={false}
            value={value}
            {...(problem && { 'aria-invalid': true })}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <bdi>{value ? fileNameFromUrl(value) : t('blocks.file.none')}</bdi>
        )
      }
    />
  )
}

const chosenKinds = { film: 'video', captions: 'document', video: 'video', file: undefined } as const

/** The chosen file, its error, and the buttons to choose another file or none. */
function FileChoice(props: {
  label: string
  problem: string | undefined
  /** The text of the button. */
  choose: string
  /** Limits the choice to this kind. */
  kind: FileKind | undefined
  onChoose: (file: StoredFile) => void
  remove: string
  onRemove: (() => void) | undefined
  shown: ReactNode
  /** More buttons. */
  actions?: ReactNode
  /** Below the buttons. */
  children?: ReactNode
}) {
  const { label, problem, choose, kind, onChoose, remove, onRemove, shown, actions, children } = props
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  return (
    <fieldset className={styles.group} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      {shown}
      {problem && (
        <Input.Error id={id} role="alert">
          {problem}
        </Input.Error>
      )}
      <div className="row">
        <Button
          aria-label={`${choose}: ${label}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {choose}
        </Button>
        {actions}
        {onRemove && (
          <Button variant="subtle" color="red" onClick={onRemove}>
            {remove}
          </Button>
        )}
      </div>
      {children}
      {choosing && (
        <FilePicker
          {...(kind && { kind })}
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
