import 'react-image-crop/dist/ReactCrop.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { type PercentCrop, ReactCrop } from 'react-image-crop'
import type { Area } from '../../../contract/files.ts'
import { limits } from '../../../contract/limits.ts'
import { useText } from '../../i18n.ts'
import styles from './crop-picture.module.css'

/** Chooses the part of a picture that is shown. @param props.width of the picture as it was uploaded, in pixels */
export function CropPicture(props: {
  src: string
  width: number
  height: number
  crop: Area | null
  onCrop: (crop: Area | null) => void
  onDone: () => void
}) {
  const { src, width, height, crop, onCrop, onDone } = props
  const t = useText()
  const [shown, setShown] = useState<PercentCrop>(() => percentOf(crop ?? { x: 0, y: 0, width, height }, width, height))
  const change = (percent: PercentCrop) => {
    setShown(percent)
    onCrop(areaOf(percent, width, height))
  }
  const labels = t as (key: `files.cropHandles.${'area' | 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'}`) => string
  return (
    <div className={styles.crop}>
      <p className="flush quiet small">{t('files.cropHelp')}</p>
      <div dir="ltr" className={styles.frame}>
        <ReactCrop
          crop={shown}
          keepSelection
          ruleOfThirds
          minWidth={16}
          minHeight={16}
          ariaLabels={{
            cropArea: labels('files.cropHandles.area'),
            nwDragHandle: labels('files.cropHandles.nw'),
            nDragHandle: labels('files.cropHandles.n'),
            neDragHandle: labels('files.cropHandles.ne'),
            eDragHandle: labels('files.cropHandles.e'),
            seDragHandle: labels('files.cropHandles.se'),
            sDragHandle: labels('files.cropHandles.s'),
            swDragHandle: labels('files.cropHandles.sw'),
            wDragHandle: labels('files.cropHandles.w'),
          }}
          onChange={(_pixels, percent) => change(percent)}
        >
          <img src={src} alt="" width={width} height={height} />
        </ReactCrop>
      </div>
      <div className="row">
        <Button onClick={onDone}>{t('files.cropDone')}</Button>
        <Button
          variant="default"
          disabled={crop === null}
          onClick={() => change(percentOf({ x: 0, y: 0, width, height }, width, height))}
        >
          {t('files.cropWhole')}
        </Button>
        <span role="status" className="quiet">
          {crop ? t('files.cropAt', { width: crop.width, height: crop.height }) : t('files.cropNone')}
        </span>
      </div>
    </div>
  )
}

const percentOf = (area: Area, width: number, height: number): PercentCrop => ({
  unit: '%',
  x: (100 * area.x) / width,
  y: (100 * area.y) / height,
  width: (100 * area.width) / width,
  height: (100 * area.height) / height,
})

/** In whole pixels, within the picture; all of it is no crop. */
function areaOf(percent: PercentCrop, width: number, height: number): Area | null {
  const least = (size: number) => Math.min(size, limits.cropPixels)
  const x = Math.min(Math.round((percent.x * width) / 100), width - least(width))
  const y = Math.min(Math.round((percent.y * height) / 100), height - least(height))
  const area = {
    x,
    y,
    width: Math.max(least(width), Math.min(Math.round((percent.width * width) / 100), width - x)),
    height: Math.max(least(height), Math.min(Math.round((percent.height * height) / 100), height - y)),
  }
  return area.x === 0 && area.y === 0 && area.width === width && area.height === height ? null : area
}
