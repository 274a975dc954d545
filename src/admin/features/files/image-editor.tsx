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

// Few people crop, so the crop tool is loaded on demand.
const CropImage = lazyPart(async () => (await import('./crop-image.tsx')).CropImage, <Loading rows={3} />)

/** The crop and the focal point of an image. */
export function ImageEditor(props: { file: StoredFile; form: UseFormReturnType<FileValues>; fixed: boolean }) {
  const { file, form, fixed } = props
  const t = useText()
  const [cropping, setCropping] = useState(false)
  const { crop, focalX, focalY } = form.getValues()
  const croppable = !fixed && mayCrop(file)
  return (
    <Section
      title={t('files.image')}
      lead={crop ? t('files.cropSize', { width: crop.width, height: crop.height }) : undefined}
      actions={croppable && !cropping && <Button onClick={() => setCropping(true)}>{t('files.cropStart')}</Button>}
    >
      <ResizeState file={file} />
      {cropping && file.whole ? (
        <CropImage
          src={file.whole}
          width={file.width ?? 0}
          height={file.height ?? 0}
          crop={crop}
          onCrop={(area) => form.setFieldValue('crop', area)}
          onDone={() => setCropping(false)}
        />
      ) : (
        file.whole && (
          <FocalPoint
            src={file.whole}
            whole={{ width: file.width ?? 1, height: file.height ?? 1 }}
            crop={crop}
            x={focalX}
            y={focalY}
            fixed={fixed}
            onChange={(x, y) => form.setValues({ focalX: x, focalY: y })}
          />
        )
      )}
    </Section>
  )
}

/** Shown while an image is being resized, and when that failed. */
function ResizeState({ file }: { file: StoredFile }) {
  const t = useText()
  const queries = useQueryClient()
  const again = useMutation({
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
            <Button loading={again.isPending} onClick={() => again.mutate()}>
              {t('files.makeAgain')}
            </Button>
          </div>
        )}
      </div>
    </Alert>
  )
}

/** Chooses by a click or two sliders what stays visible when edges are cut off. Not mirrored in right-to-left languages. */
function FocalPoint(props: {
  src: string
  whole: { width: number; height: number }
  crop: CropArea | null
  x: number
  y: number
  fixed: boolean
  onChange: (x: number, y: number) => void
}) {
  const { src, whole, x, y, fixed, onChange } = props
  const t = useText()
  const help = useId()
  const crop = props.crop ?? { x: 0, y: 0, ...whole }
  const choose = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (at: number, from: number, size: number) =>
      Math.round(Math.min(1, Math.max(0, (at - from) / size)) * 100)
    onChange(share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height))
  }
  const shown = <Shown src={src} whole={whole} crop={crop} />
  const aspect = { aspectRatio: `${crop.width} / ${crop.height}` } as CSSProperties
  return (
    <div className="stack">
      <div className={styles.chooser}>
        {fixed ? (
          <div className={styles.image} style={aspect} dir="ltr">
            {shown}
          </div>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same by keyboard
          // biome-ignore lint/a11y/useKeyWithClickEvents: the sliders below do the same by keyboard
          <div className={styles.image} style={aspect} dir="ltr" data-choose onClick={choose}>
            {shown}
            <span className={styles.mark} style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }} />
          </div>
        )}
        {!fixed && (
          <fieldset className={styles.sliders}>
            <legend>{t('files.focal')}</legend>
            <p id={help} className="flush quiet small">
              {t('files.focalHelp')}
            </p>
            <Slider label={t('files.focalX')} help={help} value={x} onChange={(value) => onChange(value, y)} />
            <Slider label={t('files.focalY')} help={help} value={y} onChange={(value) => onChange(x, value)} />
          </fieldset>
        )}
      </div>
      <div className={styles.previews} aria-hidden>
        <p className="flush quiet small">{t('files.previews')}</p>
        {['1 / 1', '21 / 9', '3 / 4'].map((frame) => (
          <div key={frame} className={styles.frame} style={{ aspectRatio: frame }} dir="ltr">
            <InFrame src={src} whole={whole} crop={crop} frame={frame} x={x} y={y} />
          </div>
        ))}
      </div>
    </div>
  )
}

function Slider(props: { label: string; help: string; value: number; onChange: (value: number) => void }) {
  const { label, help, value, onChange } = props
  return (
    <label>
      <span>{label}</span>
      <input
        type="range"
        dir="ltr"
        min={0}
        max={100}
        value={value}
        aria-describedby={help}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

type Part = { src: string; whole: { width: number; height: number }; crop: CropArea }

/** The cropped part of the image, filling its box. */
function Shown({ src, whole, crop }: Part) {
  return (
    <img
      src={src}
      alt=""
      draggable={false}
      style={{
        inlineSize: `${(100 * whole.width) / crop.width}%`,
        blockSize: `${(100 * whole.height) / crop.height}%`,
        insetInlineStart: `${(-100 * crop.x) / crop.width}%`,
        insetBlockStart: `${(-100 * crop.y) / crop.height}%`,
      }}
    />
  )
}

/** Shows the image as pages crop it in a frame of another aspect ratio. */
function InFrame({ frame, x, y, crop, ...part }: Part & { frame: string; x: number; y: number }) {
  const [across = 1, down = 1] = frame.split(' / ').map(Number)
  const scale = Math.max(across / crop.width, down / crop.height)
  const [width, height] = [(across / scale) | 0, (down / scale) | 0]
  const inside = {
    x: crop.x + ((crop.width - width) * x) / 100,
    y: crop.y + ((crop.height - height) * y) / 100,
    width,
    height,
  }
  return <Shown {...part} crop={inside} />
}
