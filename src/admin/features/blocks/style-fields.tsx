import { Image } from 'lucide-react'
import { createContext, type ReactNode, useId } from 'react'
import { choiceLabel, type Field, labelOf } from '../../../blocks/fields.ts'
import { type BlockType, imageSideOf } from '../../../blocks/registry.ts'
import { useLocale, useText } from '../../i18n.ts'
import { CollapsedFields } from './collapsed-fields.tsx'
import { ImageField } from './file-fields.tsx'
import type { Problems } from './problems.ts'
import styles from './style-fields.module.css'

type Values = Record<string, unknown>
type StyleField = Extract<Field, { kind: 'object' }>
type ChoiceField = Extract<Field, { kind: 'choice' }>

/** Whether the blocks of the surrounding form can have a style: blocks of the header and footer cannot. */
export const BlockStyleEnabledContext = createContext(true)

/** The fields of a block, without the fields of its style that have no effect where the block is. */
export function withApplicableStyle(
  fields: readonly Field[],
  { canHaveStyle, inColumn }: { canHaveStyle: boolean; inColumn: boolean },
): Field[] {
  if (!canHaveStyle) return fields.filter((field) => field.path !== stylePath)
  return fields.map((field) => {
    if (!inColumn || field.path !== stylePath || field.kind !== 'object') return field
    return { ...field, fields: field.fields.filter(({ name }) => !pageOnlyStyles.has(name)) }
  })
}

export const stylePath = 'style'

/** A column has its own width, and its blocks have no edge. */
const pageOnlyStyles = new Set(['width', 'edge'])

/** The options that are equal to an omitted value. A field without one gets an option to leave the value out. */
const defaultOptions = (type: BlockType): Readonly<Record<string, string | undefined>> => ({
  space: 'normal',
  width: 'normal',
  align: 'start',
  side: imageSideOf(type),
})

/** The style of a block, as groups of radio buttons with a thumbnail each. */
export function StyleFields(props: {
  type: BlockType
  field: StyleField
  value: Values
  onChange: (value: Values | undefined) => void
  problems: Problems
}) {
  const { type, field, value, onChange, problems } = props
  const t = useText()
  const locale = useLocale()
  const set = (name: string, option: string | undefined) => {
    const { [name]: _previous, ...others } = value
    const changed = option === undefined ? others : { ...others, [name]: option }
    onChange(Object.keys(changed).length > 0 ? changed : undefined)
  }
  const visibleFields = field.fields.filter(({ name }) => name !== 'picture' || value.background === 'picture')
  return (
    <CollapsedFields
      className={styles.style}
      label={labelOf(type, field, locale)}
      hasProblem={Object.keys(problems).length > 0}
    >
      {visibleFields.map((styleField) => {
        const { name } = styleField
        const label = labelOf(type, styleField, locale)
        const current = value[name] as string | undefined
        if (styleField.kind !== 'choice') {
          return (
            <ImageField
              key={name}
              label={label}
              value={current ?? ''}
              optional={false}
              logo={false}
              onChange={(src) => set(name, src)}
              onChoose={({ url }) => set(name, url)}
              problem={problems[name]}
            />
          )
        }
        const defaultOption = defaultOptions(type)[name]
        return (
          <StyleChoices
            key={name}
            legend={label}
            options={[
              ...(defaultOption === undefined ? [{ value: '', label: t('blocks.ownStyle') }] : []),
              ...styleField.options.map((value) => ({ value, label: choiceLabel(type, styleField, value, locale) })),
            ]}
            selected={current ?? defaultOption ?? ''}
            renderPreview={(option) => renderPreview(styleField, option)}
            problem={problems[name]}
            onChoose={(option) => set(name, option === '' || option === defaultOption ? undefined : option)}
          />
        )
      })}
    </CollapsedFields>
  )
}

function StyleChoices(props: {
  legend: string
  options: readonly { value: string; label: string }[]
  selected: string
  renderPreview: (option: string) => ReactNode
  problem: string | undefined
  onChoose: (option: string) => void
}) {
  const { legend, options, selected, renderPreview, problem, onChoose } = props
  const id = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={id}
            checked={value === selected}
            onChange={() => onChoose(value)}
            {...(problem && { 'aria-invalid': true })}
          />
          <span>
            {renderPreview(value)}
            {label}
          </span>
        </label>
      ))}
      {problem && (
        <p id={`${id}-problem`} className="wrong" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

function renderPreview({ name }: ChoiceField, option: string): ReactNode {
  if (name === 'background') {
    return (
      <i className={styles.swatch} data-surface={option} aria-hidden>
        {option === 'picture' && <Image strokeWidth={1.75} />}
      </i>
    )
  }
  const path = paths[`${name}.${option}`]
  return (
    <svg className={styles.thumbnail} viewBox="0 0 32 20" aria-hidden>
      {path && <path d={path} />}
    </svg>
  )
}

/** The path of horizontal lines, each 2 high. */
const linesPath = (...lines: [x: number, y: number, width: number][]) =>
  lines.map(([x, y, width]) => `M${x} ${y}h${width}v2h-${width}z`).join('')

/** The SVG thumbnails by `<field>.<option>`, of 32 by 20 and from left to right; the stylesheet mirrors them. */
const paths: Readonly<Record<string, string>> = {
  'space.none': linesPath([4, 7, 24], [4, 9, 24], [4, 11, 24]),
  'space.small': linesPath([4, 5, 24], [4, 9, 24], [4, 13, 24]),
  'space.normal': linesPath([4, 3, 24], [4, 9, 24], [4, 15, 24]),
  'space.large': linesPath([4, 1, 24], [4, 9, 24], [4, 17, 24]),
  'width.narrow': 'M11 4h10v12H11z',
  'width.normal': 'M8 4h16v12H8z',
  'width.wide': 'M4 4h24v12H4z',
  'width.full': 'M0 4h32v12H0z',
  'align.start': linesPath([4, 4, 18], [4, 9, 24], [4, 14, 13]),
  'align.center': linesPath([7, 4, 18], [4, 9, 24], [9, 14, 14]),
  'side.start': `M3 4h11v12H3z${linesPath([17, 5, 12], [17, 9, 12], [17, 13, 8])}`,
  'side.end': `M18 4h11v12H18z${linesPath([3, 5, 12], [3, 9, 12], [3, 13, 8])}`,
  'edge.': 'M0 9h6v2H0zM13 9h6v2h-6zM26 9h6v2h-6z',
  'edge.none': 'M0 8h32v12H0z',
  'edge.wave': 'M0 10c6-5 10-5 16-1s10 4 16-2v13H0z',
  'edge.straight': 'M0 6h32v2H0zM0 10h32v1H0z',
  'edge.slant': 'M0 14 32 4v16H0z',
}
