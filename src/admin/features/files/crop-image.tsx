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

/** The offered ratios of width to height. `free`: any ratio. */
const ratios = { free: undefined, '1:1': 1, '4:3': 4 / 3, '3:2': 3 / 2, '16:9': 16 / 9, '3:4': 3 / 4 } as const
type Ratio = keyof typeof ratios

/** The crop tool. Each change of the selection is passed to `onCrop`. */
export function CropImage(props: {
  src: string
  /** Of the whole image, in pixels. */
  width: number
  height: number
  /** Null: the whole image. */
  crop: CropArea | null
  onCrop: (crop: CropArea | null) => void
  onDone: () => void
}) {
  const { src, width, height, crop, onCrop, onDone } = props
  const t = useText()
  const [lastSelection, setLastSelection] = useState<PercentCrop>()
  // `crop` may also change from outside, for example when the image is replaced: then the last selection is outdated.
  const isCurrent = lastSelection && deepEqual(areaOf(lastSelection, width, height), crop)
  const selection = isCurrent ? lastSelection : percentOf(crop ?? { x: 0, y: 0, width, height }, width, height)
  const select = (percent: PercentCrop) => {
    setLastSelection(percent)
    onCrop(areaOf(percent, width, height))
  }
  const uiLocale = useLocale()
  const [ratio, setRatio] = useState<Ratio>('free')
  const chooseRatio = (chosen: Ratio) => {
    setRatio(chosen)
    const aspect = ratios[chosen]
    if (!aspect) return
    const fullWidth = makeAspectCrop({ unit: '%', width: 100 }, aspect, width, height)
    const fits = fullWidth.height <= 100
    const largest = fits ? fullWidth : makeAspectCrop({ unit: '%', height: 100 }, aspect, width, height)
    select(centerCrop(largest, width, height))
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
        onChoose={([chosen = 'free']) => chooseRatio(chosen)}
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
          onChange={(_pixels, percent) => select(percent)}
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
          onClick={() => select(percentOf({ x: 0, y: 0, width, height }, width, height))}
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

/** Converts a selection to whole pixels within the image, of at least the minimum size; null for the whole image. */
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
