import { type AnyBlock, type BlockType, blockSchema, blocks } from '../../../blocks/registry.ts'
import { fieldProblems } from '../../../contract/field-problems.ts'
import { type Locale, sampleLocale } from '../../../contract/locales.ts'

type Values = Record<string, unknown>

interface RenderableBlock {
  block: AnyBlock
  /** The valid values that `block` was parsed from. */
  values: Values
  /** The paths of the wrong values, which were replaced: `items.0.url`. */
  wrongPaths: readonly string[]
}

const noWrongPaths: readonly string[] = []

/**
 * Parses a block with its schema. A wrong value is replaced by that at the same path in the last valid values, or else
 * in the defaults of the block, or else left out. Undefined if no valid block remains.
 */
export function renderableBlock(
  type: BlockType,
  values: Values,
  { locale, lastValid }: { locale: Locale; lastValid?: Values | undefined },
): RenderableBlock | undefined {
  let current: unknown = withoutMissingPicture({ ...values, type })
  let wrongPaths = noWrongPaths
  const replaceBy = (source: unknown) => (value: unknown, path: string[]) =>
    withValueAt(value, path, valueAt(source, path))
  const replacements = [replaceBy(lastValid), replaceBy(blocks[type].defaults[sampleLocale(locale)]), withoutLastEntry]
  for (const replace of [...replacements, undefined]) {
    const { data, error } = blockSchema.safeParse(current)
    if (data) return { block: data, values: current as Values, wrongPaths }
    if (!replace) break
    const paths = fieldProblems(error, Number.POSITIVE_INFINITY).map(({ path }) => path)
    wrongPaths = [...wrongPaths, ...paths]
    // From the last one, so that more than one entry can be left out at the end of a list.
    for (const path of paths.toReversed()) current = replace(current, path.split('.'))
    current = withoutMissingPicture(current as Values)
  }
  return undefined
}

/** Without the background `picture` until its image is chosen, which its schema requires. */
function withoutMissingPicture(values: Values): Values {
  const { background, picture, ...otherStyle } = (values.style ?? {}) as Values
  return background === 'picture' && !picture ? { ...values, style: otherStyle } : values
}

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Values | null | undefined)?.[name], value)

/** A copy of a value with another one at a path, or without it if that is undefined. */
function withValueAt(value: unknown, [name, ...rest]: readonly string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  const inner = withValueAt(valueAt(value, [name]), rest, replacement)
  if (Array.isArray(value)) return value.with(Number(name), inner)
  const { [name]: _, ...others } = (value ?? {}) as Values
  return inner === undefined ? others : { ...others, [name]: inner }
}

/**
 * A copy of a value without the entry that a path leads through, if it is the last of its list; of nested lists, the outermost
 * one. The texts of the canvas are named by the indexes of their entries, so no other entry may move.
 */
function withoutLastEntry(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value) && Number(name) === value.length - 1) return value.slice(0, -1)
  const inner = valueAt(value, [name])
  return inner === undefined ? value : withValueAt(value, [name], withoutLastEntry(inner, rest))
}
