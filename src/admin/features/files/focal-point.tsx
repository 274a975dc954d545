import { type CSSProperties, type MouseEvent, useId } from 'react'
import type { Area } from '../../../contract/files.ts'
import { useText } from '../../i18n.ts'
import styles from './focal-point.module.css'

/** What must stay in sight when edges are cut off: by a click, or by two sliders. Left is left in every language here. */
export function FocalPoint(props: {
  src: string
  whole: { width: number; height: number }
  crop: Area | null
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
    <div className={styles.focal}>
      <div className={styles.chooser}>
        {fixed ? (
          <div className={styles.picture} style={aspect} dir="ltr">
            {shown}
          </div>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same by keyboard
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div className={styles.picture} style={aspect} dir="ltr" data-choose onClick={choose}>
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

type Part = { src: string; whole: { width: number; height: number }; crop: Area }

/** The part of the whole picture that the crop leaves, filling its box. */
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

/** What is left of that in a frame of another shape, as pages cut it. */
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
