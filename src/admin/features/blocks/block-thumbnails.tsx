import { createElement, Fragment, type ReactNode } from 'react'
import type { BlockType } from '../../../blocks/registry.ts'
import styles from './block-thumbnails.module.css'

/** An SVG thumbnail of a block; decorative, because its name is beside it. */
export function BlockThumbnail({ type }: { type: BlockType }) {
  return (
    <svg className={styles.thumbnail} viewBox="0 0 96 60" aria-hidden>
      {thumbnails[type]}
    </svg>
  )
}

/** Returns a function that draws a rectangle. Numbers are units of the view box. */
const box = (opacity: number, radius: number) => (x: number, y: number, width: number, height: number) => (
  <rect x={x} y={y} width={width} height={height} rx={radius} opacity={opacity} />
)
const panel = box(0.08, 2)
const area = box(0.2, 2)
const bar = box(0.35, 1)
const title = (x: number, y: number, width: number, height = 5) => box(0.85, 1)(x, y, width, height)
const text = (x: number, y: number, width: number) => bar(x, y, width, 2.5)
const texts = (x: number, y: number, widths: readonly number[]) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the thumbnail never changes
  widths.map((width, index) => <g key={index}>{text(x, y + index * 5, width)}</g>)
const button = (x: number, y: number, width = 22) => (
  <rect x={x} y={y} width={width} height={8} rx={2} fill="var(--link)" />
)
const dot = (x: number, y: number, radius: number) => <circle cx={x} cy={y} r={radius} opacity={0.35} />
const accent = (x: number, y: number, radius: number) => <circle cx={x} cy={y} r={radius} fill="var(--link)" />
const imageShape = (x: number, y: number, width: number, height: number) => (
  <svg x={x} y={y} width={width} height={height} viewBox="0 0 24 16" preserveAspectRatio="xMidYMid slice" aria-hidden>
    <path d="M0 0h24v16H0z" opacity={0.2} />
    <circle cx={17} cy={5} r={2} fill="var(--link)" />
    <path d="m0 16 8-8 6 6 3-3 7 5z" opacity={0.35} />
  </svg>
)
const group = (...shapes: ReactNode[]) => createElement(Fragment, null, ...shapes)
/** The same shape at each of these y coordinates. */
const rows = (ys: readonly number[], draw: (y: number, index: number) => ReactNode) =>
  ys.map((y, index) => <g key={y}>{draw(y, index)}</g>)
/** The same shape `count` times in a row, each `step` to the right of the one before. */
const repeat = (count: number, step: number, draw: (x: number, index: number) => ReactNode, startX = 8) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the thumbnail never changes
    <g key={index}>{draw(startX + index * step, index)}</g>
  ))
const heading = title(8, 8, 36)

const thumbnails: Record<BlockType, ReactNode> = {
  content: texts(14, 15, [68, 60, 66, 54, 62, 34]),
  'footer-links': group(
    text(8, 29, 26),
    repeat(3, 15, (x) => text(x, 29, 11), 44),
  ),
  icon: group(accent(22, 30, 9), title(38, 21, 30, 4), texts(38, 30, [46, 38])),
  image: imageShape(12, 8, 72, 44),
  line: text(8, 29, 80),
  link: button(30, 26, 36),
  menu: repeat(4, 21, (x) => text(x, 29, 15)),
  'social-icons': repeat(4, 16, (x) => dot(x, 30, 5), 24),
  hero: group(
    panel(0, 0, 96, 60),
    title(8, 11, 42, 7),
    texts(8, 24, [46, 36]),
    button(8, 40),
    imageShape(60, 0, 36, 60),
  ),
  services: group(
    heading,
    repeat(2, 44, (x) => group(accent(x + 5, 28, 5), title(x, 38, 24, 3), texts(x, 44, [34, 28]))),
  ),
  pricing: group(
    heading,
    rows([19, 32, 45], (y) => group(title(8, y, 20, 4), texts(36, y, [24, 18]), title(72, y, 16, 6))),
  ),
  subscriptions: group(
    heading,
    repeat(3, 28, (x, index) =>
      group(
        (index === 1 ? area : panel)(x, 18, 24, 36),
        title(x + 4, 23, 12),
        texts(x + 4, 33, [16, 13]),
        text(x + 4, 46, 10),
      ),
    ),
  ),
  'contact-form': group(
    title(8, 12, 28),
    texts(8, 22, [28, 24, 20]),
    rows([10, 19, 28], (y) => panel(46, y, 42, 7)),
    button(46, 40),
  ),
  form: group(
    title(8, 10, 34),
    rows([19, 31, 43], (y) => group(text(8, y - 3, 20), panel(8, y, 54, 6))),
    button(68, 43),
  ),
  'rich-text': group(title(8, 10, 22), texts(38, 10, [50, 46, 48, 30]), title(8, 38, 18), texts(38, 38, [48, 50, 24])),
  faq: group(
    heading,
    rows([19, 32, 45], (y) => group(panel(8, y, 80, 10), text(12, y + 4, 44), accent(82, y + 5, 2))),
  ),
  cta: group(area(0, 12, 96, 36), title(8, 20, 42), texts(8, 30, [36, 28]), button(64, 26, 24)),
  columns: repeat(2, 42, (x) => group(title(x, 12, 22), texts(x, 22, [36, 32, 34, 28, 16]))),
  gallery: group(
    repeat(3, 28, (x) => imageShape(x, 8, 24, 20)),
    repeat(3, 28, (x) => imageShape(x, 32, 24, 20)),
  ),
  testimonial: group(
    title(8, 14, 76, 4),
    title(8, 22, 58, 4),
    accent(14, 42, 6),
    title(26, 38, 22, 3),
    text(26, 44, 16),
  ),
  'text-image': group(title(8, 16, 30), texts(8, 25, [36, 32, 22]), button(8, 40, 18), imageShape(50, 10, 38, 40)),
  cases: group(
    heading,
    repeat(2, 42, (x) => group(imageShape(x, 18, 38, 24), title(x, 46, 24, 3), text(x, 52, 32))),
  ),
  'entry-list': group(
    heading,
    repeat(3, 28, (x) => group(imageShape(x, 18, 24, 18), title(x, 40, 20, 3), texts(x, 46, [22, 14]))),
  ),
  testimonials: group(
    heading,
    repeat(3, 28, (x) =>
      group(panel(x, 18, 24, 36), texts(x + 4, 23, [16, 14, 10]), accent(x + 7, 46, 3), text(x + 12, 45, 9)),
    ),
  ),
  figures: group(
    area(0, 12, 96, 36),
    repeat(3, 28, (x) => group(title(x, 20, 20, 10), text(x, 36, 22))),
  ),
  team: group(
    heading,
    repeat(4, 21, (x) => group(area(x, 18, 17, 22), dot(x + 8.5, 26, 4), title(x, 44, 14, 3), text(x, 50, 11))),
  ),
  steps: group(
    heading,
    bar(13, 25, 56, 1),
    repeat(3, 28, (x) => group(accent(x + 5, 25.5, 5), title(x, 36, 18, 3), texts(x, 42, [22, 16]))),
  ),
  logos: repeat(4, 21, (x, index) => (index % 2 ? dot(x + 8, 30, 6) : bar(x, 25, 17, 10))),
  video: group(area(8, 8, 80, 44), accent(48, 30, 10), <path d="m45 25 8 5-8 5z" fill="var(--raised)" />),
  location: group(
    title(8, 14, 26),
    texts(8, 24, [28, 24, 20]),
    button(8, 42, 18),
    area(46, 8, 42, 44),
    accent(67, 28, 5),
  ),
  comparison: group(
    area(62, 6, 26, 48),
    rows([10, 22, 34, 46], (y, index) =>
      group(
        text(8, y, 24),
        index ? dot(50, y + 1, 2) : title(44, y - 1, 14, 4),
        index ? accent(75, y + 1, 2.5) : title(67, y - 1, 16, 4),
      ),
    ),
  ),
  banner: group(area(0, 20, 96, 20), title(8, 28, 50, 4), text(70, 29, 18)),
  download: group(
    rows([8, 24, 40], (y) =>
      group(panel(8, y, 80, 13), accent(16, y + 6.5, 3), title(24, y + 3, 30, 3), text(24, y + 8, 18)),
    ),
  ),
  section: group(area(8, 8, 80, 44), title(16, 16, 34), texts(16, 26, [56, 48]), accent(78, 44, 4)),
}
