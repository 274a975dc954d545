import { Alert, Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type MouseEvent, useId, useState } from 'react'
import type { CropArea, StoredFile } from '../../../contract/files.ts'
import { api, parseResponse } from '../../client.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { mayCrop } from './files.ts'
import styles from './image-editor.module.css'
import { type FileValues, updateFileCache } from './save-file.ts'

// Few users crop, so the crop tool is loaded on demand.
const CropImage = lazyPart(async () => (await import('./crop-image.tsx')).CropImage, <Loading rows={3} />)

/** Edits the crop and the focal point of an image, as values of the file's form. */
export function ImageEditor(props: { file: StoredFile; form: UseFormReturnType<FileValues>; readOnly: boolean }) {
  const { file, form, readOnly } = props
  const t = useText()
  const [isCropping, setIsCropping] = useState(false)
  const { crop, focalX, focalY } = form.getValues()
  const canCrop = !readOnly && mayCrop(file)
  return (
    <Section
      title={t('files.image')}
      lead={crop ? t('files.cropSize', { width: crop.width, height: crop.height }) : undefined}
      actions={canCrop && !isCropping && <Button onClick={() => setIsCropping(true)}>{t('files.cropStart')}</Button>}
    >
      <ResizeState file={file} />
      {isCropping && file.whole ? (
        <CropImage
          src={file.whole}
          width={file.width ?? 0}
          height={file.height ?? 0}
          crop={crop}
          onCrop={(area) => form.setFieldValue('crop', area)}
          onDone={() => setIsCropping(false)}
        />
      ) : (
        file.whole && (
          <FocalPoint
            src={file.whole}
            size={{ width: file.width ?? 1, height: file.height ?? 1 }}
            crop={crop}
            x={focalX}
            y={focalY}
            readOnly={readOnly}
            onChange={(x, y) => form.setValues({ focalX: x, focalY: y })}
          />
        )
      )}
    </Section>
  )
}

/** A message while an image is being resized, or that resizing failed. */
function ResizeState({ file }: { file: StoredFile }) {
  const t = useText()
  const queries = useQueryClient()
  const resize = useMutation({
    mutationFn: () => parseResponse(api.files[':id'].pictures.$post({ param: { id: String(file.id) } })),
    onSuccess: (saved) => updateFileCache(queries, saved),
    onError: (error) => notifyFailure(t('files.failedMade'), error),
  })
  if (file.state === 'ready') return null
  if (file.state === 'waiting') {
    return (
      <Alert role="status" title={t('files.beingMade')}>
        {t('files.beingMadeText')}
      </Alert>
    )
  }
  return (
    <Alert color="red" role="alert" title={t('files.failedMade')}>
      <div className="stack">
        {t('files.failedMadeText')}
        {file.can.change && (
          <div>
            <Button loading={resize.isPending} onClick={() => resize.mutate()}>
              {t('files.makeAgain')}
            </Button>
          </div>
        )}
      </div>
    </Alert>
  )
}

/** Chooses by a click or sliders the focal point, which stays visible when edges are cut off. Not mirrored in RTL. */
function FocalPoint(props: {
  src: string
  /** Of the whole image, in pixels. */
  size: Size
  crop: CropArea | null
  /** The focal point, in percent of the cropped image from its left and top edge. */
  x: number
  y: number
  readOnly: boolean
  onChange: (x: number, y: number) => void
}) {
  const { src, size, x, y, readOnly, onChange } = props
  const t = useText()
  const helpId = useId()
  const crop = props.crop ?? { x: 0, y: 0, ...size }
  const chooseClickedPoint = (event: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const percent = (fraction: number) => Math.round(Math.min(1, Math.max(0, fraction)) * 100)
    onChange(percent((event.clientX - left) / width), percent((event.clientY - top) / height))
  }
  const croppedImage = <CroppedImage src={src} size={size} crop={crop} />
  const aspect = { aspectRatio: `${crop.width} / ${crop.height}` } as CSSProperties
  return (
    <div className="stack">
      <div className={styles.chooser}>
        {readOnly ? (
          <div className={styles.image} style={aspect} dir="ltr">
            {croppedImage}
          </div>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same by keyboard
          // biome-ignore lint/a11y/useKeyWithClickEvents: the sliders below do the same by keyboard
          <div className={styles.image} style={aspect} dir="ltr" data-choose onClick={chooseClickedPoint}>
            {croppedImage}
            <span className={styles.mark} style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }} />
          </div>
        )}
        {!readOnly && (
          <fieldset className={styles.sliders}>
            <legend>{t('files.focal')}</legend>
            <p id={helpId} className="flush quiet small">
              {t('files.focalHelp')}
            </p>
            <Slider label={t('files.focalX')} helpId={helpId} value={x} onChange={(value) => onChange(value, y)} />
            <Slider label={t('files.focalY')} helpId={helpId} value={y} onChange={(value) => onChange(x, value)} />
          </fieldset>
        )}
      </div>
      <div className={styles.previews} aria-hidden>
        <p className="flush quiet small">{t('files.previews')}</p>
        {['1 / 1', '21 / 9', '3 / 4'].map((aspectRatio) => (
          <div key={aspectRatio} className={styles.frame} style={{ aspectRatio }} dir="ltr">
            <FramedImage src={src} size={size} crop={crop} aspectRatio={aspectRatio} x={x} y={y} />
          </div>
        ))}
      </div>
    </div>
  )
}

function Slider(props: { label: string; helpId: string; value: number; onChange: (value: number) => void }) {
  const { label, helpId, value, onChange } = props
  return (
    <label>
      <span>{label}</span>
      <input
        type="range"
        dir="ltr"
        min={0}
        max={100}
        value={value}
        aria-describedby={helpId}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

type Size = { width: number; height: number }
type CroppedImageProps = { src: string; size: Size; crop: CropArea }

/** The area `crop` of an image, filling its container: the whole image is enlarged and moved by percentages. */
function CroppedImage({ src, size, crop }: CroppedImageProps) {
  return (
    <img
      src={src}
      alt=""
      draggable={false}
      style={{
        inlineSize: `${(100 * size.width) / crop.width}%`,
        blockSize: `${(100 * size.height) / crop.height}%`,
        insetInlineStart: `${(-100 * crop.x) / crop.width}%`,
        insetBlockStart: `${(-100 * crop.y) / crop.height}%`,
      }}
    />
  )
}

/** The cropped image as pages show it in a frame: the largest area with that aspect ratio around the focal point. */
function FramedImage(props: CroppedImageProps & { aspectRatio: string; x: number; y: number }) {
  const { src, size, crop, aspectRatio, x, y } = props
  const [ratioWidth = 1, ratioHeight = 1] = aspectRatio.split(' / ').map(Number)
  const scale = Math.max(ratioWidth / crop.width, ratioHeight / crop.height)
  const [width, height] = [Math.trunc(ratioWidth / scale), Math.trunc(ratioHeight / scale)]
  const visibleArea = {
    x: crop.x + ((crop.width - width) * x) / 100,
    y: crop.y + ((crop.height - height) * y) / 100,
    width,
    height,
  }
  return <CroppedImage src={src} size={size} crop={visibleArea} />
}
