import 'react-image-crop/dist/ReactCrop.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop'
import { deepEqual } from '../../../contract/deep-equal.ts'
import type { CropArea } from '../../../contract/files.ts'
import { limits } from '../../../contract/limits.ts'
import { localizeDigits } from '../../../contract/locales.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { useLocale, useText } from '../../i18n.ts'
import styles from './image-editor.module.css'

/** The ratios of width to height that are offered; undefined: any. */
const ratios = { free: undefined, '1:1': 1, '4:3': 4 / 3, '3:2': 3 / 2, '16:9': 16 / 9, '3:4': 3 / 4 } as const
type Ratio = keyof typeof ratios

/** @param props.width of the uploaded image, in pixels */
export function CropImage(props: {
  src: string
  width: number
  height: number
  crop: CropArea | null
  onCrop: (crop: CropArea | null) => void
  onDone: () => void
}) {
  const { src, width, height, crop, onCrop, onDone } = props
  const t = useText()
  const [selected, setSelection] = useState<PercentCrop>()
  // The crop also changes from outside, for example when the image is replaced.
  const selection =
    selected && deepEqual(areaOf(selected, width, height), crop)
      ? selected
      : percentOf(crop ?? { x: 0, y: 0, width, height }, width, height)
  const change = (percent: PercentCrop) => {
    setSelection(percent)
    onCrop(areaOf(percent, width, height))
  }
  const uiLocale = useLocale()
  const [ratio, setRatio] = useState<Ratio>('free')
  const chooseRatio = (one: Ratio) => {
    setRatio(one)
    const aspect = ratios[one]
    if (!aspect) return
    const largest = makeAspectCrop({ unit: '%', width: 100 }, aspect, width, height)
    // A ratio that is taller than the image is as tall as the image.
    const fitting = largest.height > 100 ? makeAspectCrop({ unit: '%', height: 100 }, aspect, width, height) : largest
    change(centerCrop(fitting, width, height))
  }
  const handleLabel = t as (
    key: `files.cropHandles.${'area' | 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'}`,
  ) => string
  return (
    <div className={styles.crop}>
      <p className="flush quiet small">{t('files.cropHelp')}</p>
      <ChoiceGroup
        legend={t('files.cropRatio')}
        options={(Object.keys(ratios) as Ratio[]).map((value) => ({
          value,
          label: value === 'free' ? t('files.cropFree') : localizeDigits(uiLocale, value),
        }))}
        chosen={[ratio]}
        onChoose={([one = 'free']) => chooseRatio(one)}
      />
      <div dir="ltr" className={styles.cropFrame}>
        <ReactCrop
          crop={selection}
          aspect={ratios[ratio]}
          keepSelection
          ruleOfThirds
          minWidth={16}
          minHeight={16}
          ariaLabels={{
            cropArea: handleLabel('files.cropHandles.area'),
            nwDragHandle: handleLabel('files.cropHandles.nw'),
            nDragHandle: handleLabel('files.cropHandles.n'),
            neDragHandle: handleLabel('files.cropHandles.ne'),
            eDragHandle: handleLabel('files.cropHandles.e'),
            seDragHandle: handleLabel('files.cropHandles.se'),
            sDragHandle: handleLabel('files.cropHandles.s'),
            swDragHandle: handleLabel('files.cropHandles.sw'),
            wDragHandle: handleLabel('files.cropHandles.w'),
          }}
          onChange={(_pixels, percent) => change(percent)}
        >
          <img src={src} alt="" width={width} height={height} />
        </ReactCrop>
      </div>
      <div className="row">
        <Button variant="filled" onClick={onDone}>
          {t('files.cropDone')}
        </Button>
        <Button
          disabled={crop === null}
          onClick={() => change(percentOf({ x: 0, y: 0, width, height }, width, height))}
        >
          {t('files.cropReset')}
        </Button>
        <span role="status" className="quiet">
          {crop ? t('files.cropSize', { width: crop.width, height: crop.height }) : t('files.cropNone')}
        </span>
      </div>
    </div>
  )
}

const percentOf = (area: CropArea, width: number, height: number): PercentCrop => ({
  unit: '%',
  x: (100 * area.x) / width,
  y: (100 * area.y) / height,
  width: (100 * area.width) / width,
  height: (100 * area.height) / height,
})

/** In whole pixels, within the image; null for the whole image. */
function areaOf(percent: PercentCrop, width: number, height: number): CropArea | null {
  const minSize = (size: number) => Math.min(size, limits.minCropPixels)
  const x = Math.min(Math.round((percent.x * width) / 100), width - minSize(width))
  const y = Math.min(Math.round((percent.y * height) / 100), height - minSize(height))
  const area = {
    x,
    y,
    width: Math.max(minSize(width), Math.min(Math.round((percent.width * width) / 100), width - x)),
    height: Math.max(minSize(height), Math.min(Math.round((percent.height * height) / 100), height - y)),
  }
  return area.x === 0 && area.y === 0 && area.width === width && area.height === height ? null : area
}
