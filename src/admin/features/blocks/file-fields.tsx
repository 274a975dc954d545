import { Button, Input, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CloudUpload, ImageOff } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { logoPlaceholder } from '../../../blocks/define-block.ts'
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
  const isLogo = value === logoPlaceholder
  const name = isLogo ? t('blocks.image.logo') : fileNameFromUrl(value).split('/').at(-1)
  return (
    <FileChoice
      label={label}
      problem={problem}
      chooseLabel={t(value ? 'blocks.image.another' : 'blocks.image.choose')}
      kind="picture"
      onChoose={onChoose}
      removeLabel={t('blocks.image.remove')}
      onRemove={optional && value ? () => onChange(undefined) : undefined}
      current={
        <div className={styles.image}>
          {isLogo && <SiteLogo />}
          {!isLogo && (value ? <ImagePreview src={value} /> : <NoImage />)}
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
            <Button variant="subtle" onClick={() => onChange(logoPlaceholder)}>
              {t('blocks.image.useLogo')}
            </Button>
          )}
        </>
      }
    >
      <ImageDrop onUploaded={onChoose} />
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

/** An image at its smallest width; while the server is resizing an upload, the file of this computer. */
function ImagePreview({ src }: { src: string }) {
  const [publicId] = publicFileIdsIn(src)
  // The query finds file URLs anywhere in a block, so this block needs no other field.
  const { data } = useQuery({ ...previewDataQuery([{ type: src }]), enabled: publicId !== undefined })
  if (publicId === undefined) return <img src={src} alt="" loading="lazy" />
  const image = data?.pictures[publicId]
  const smallestSrc = image?.sources[0]?.srcSet.split(' ')[0]
  const previewSrc = smallestSrc ?? localImage(publicId)?.src ?? (image?.src || image?.placeholder)
  return previewSrc ? <img src={previewSrc} alt="" loading="lazy" /> : <NoImage />
}

interface ImageDropProps {
  multiple?: boolean
  /** Called for each image after its upload. */
  onUploaded: (file: SentFile) => void
}

/** Uploads dropped or chosen images; renders nothing without the right to upload. */
export const ImageDrop = (props: ImageDropProps) => useRight('files.write') && <ImageDropZone {...props} />

function ImageDropZone({ multiple = false, onUploaded }: ImageDropProps) {
  const t = useText()
  const latestOnUploaded = useLatest(onUploaded)
  const { uploads, queue, add } = useSeparateUploads((file) => {
    if (file.kind === 'picture') latestOnUploaded.current(file)
  })
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => add(multiple ? files : files.slice(0, 1)),
    accept: { 'image/*': [] },
    multiple,
    noClick: true,
    noKeyboard: true,
  })
  const unfinished = uploads.filter(({ state }) => state !== 'done')
  return (
    <div {...getRootProps({ className: styles.drop, 'data-over': isDragActive || undefined, role: undefined })}>
      <p>
        <CloudUpload size={20} strokeWidth={1.5} />
        {isDragActive ? t('files.dropNow') : t(multiple ? 'blocks.image.dropSeveral' : 'blocks.image.drop')}
      </p>
      <Button variant="subtle" onClick={open}>
        {t('blocks.image.upload')}
      </Button>
      <input {...getInputProps({ 'aria-label': t('blocks.image.upload'), tabIndex: -1 })} />
      {unfinished.length > 0 && <UploadList uploads={unfinished} queue={queue} />}
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
      chooseLabel={t(value ? 'blocks.file.another' : 'blocks.file.choose')}
      kind={pickerKinds[kind]}
      onChoose={({ url }) => onChange(url)}
      removeLabel={t('blocks.file.remove')}
      onRemove={optional && value ? () => onChange(undefined) : undefined}
      current={
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

const pickerKinds = { film: 'video', captions: 'document', video: 'video', file: undefined } as const

/** The current file, its error, and the buttons to choose another file or none. */
function FileChoice(props: {
  label: string
  problem: string | undefined
  /** The label of the button that opens the file picker. */
  chooseLabel: string
  /** Limits the choice to this kind. */
  kind: FileKind | undefined
  onChoose: (file: StoredFile) => void
  removeLabel: string
  onRemove: (() => void) | undefined
  current: ReactNode
  /** More buttons. */
  actions?: ReactNode
  /** Rendered below the buttons. */
  children?: ReactNode
}) {
  const { label, problem, chooseLabel, kind, onChoose, removeLabel, onRemove, current, actions, children } = props
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  return (
    <fieldset className={styles.group} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      {current}
      {problem && (
        <Input.Error id={id} role="alert">
          {problem}
        </Input.Error>
      )}
      <div className="row">
        <Button
          aria-label={`${chooseLabel}: ${label}`}
          {...(problem && { 'aria-invalid': true })}
          onClick={() => setChoosing(true)}
        >
          {chooseLabel}
        </Button>
        {actions}
        {onRemove && (
          <Button variant="subtle" color="red" onClick={onRemove}>
            {removeLabel}
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
