import type { SlotComponent } from '@puckeditor/core'
import {
  cloneElement,
  createContext,
  isValidElement,
  type ReactNode,
  type Ref,
  useContext,
  useMemo,
  useRef,
} from 'react'
import type { Scene } from '../../../blocks/define-block.ts'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blockSchema, blocks } from '../../../blocks/registry.ts'
import { direction } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from './block-names.ts'
import { storedId } from './puck-data.ts'

/** What the blocks on the canvas look at, and which of them have something wrong. */
export const CanvasScene = createContext<{ scene: Scene; wrong: ReadonlySet<string> } | undefined>(undefined)
const InColumn = createContext(false)

type Values = Record<string, unknown>
interface Placed {
  type: BlockType
  /** What Puck drags it by. */
  dragRef: unknown
}

/** A block as the site draws it, from what stands in its form. While that is not right, as it was when it last was. */
export function CanvasBlock(props: Placed & { id: string; values: Values }): ReactNode {
  const { type, id, dragRef, values } = props
  const t = useText()
  const spoken = useLocale()
  const canvas = useContext(CanvasScene)
  const inColumn = useContext(InColumn)
  const good = useRef<ReactNode>(undefined)
  const read = useMemo(() => readBlock(type, values), [type, values])
  if (!canvas) return null
  if (read) {
    const draw = (list: readonly StoredBlock[]) => {
      const Slot = read.slots.get(list)
      return Slot ? (
        <InColumn value={true}>
          <Slot minEmptyHeight={72} />
        </InColumn>
      ) : null
    }
    const { View } = blocks[type] as { View: (block: unknown, scene: Scene) => ReactNode }
    good.current = View(read.block, { ...canvas.scene, drawInner: draw })
  }
  const view = good.current ?? (
    <p className="unfinished" lang={spoken} dir={direction[spoken]}>
      {t('blocks.visual.unfinished', { name: blockName(type, spoken) })}
    </p>
  )
  const own = { ref: dragRef, 'data-wrong': canvas.wrong.has(storedId(id)) || undefined }
  const section = 'band' in blocks[type] && blocks[type].band
  if (section && isValidElement<object>(view) && typeof view.type === 'string') return cloneElement(view, own as object)
  return (
    <div {...(own as object)} className={inColumn ? 'in-column' : 'wrap loose'}>
      {view}
    </div>
  )
}

/** In place of a block of which the drawing fails: it can be chosen, changed and removed all the same. */
export function NotDrawn({ type, dragRef }: Placed): ReactNode {
  const t = useText()
  const spoken = useLocale()
  return (
    <div ref={dragRef as Ref<HTMLDivElement>} className="wrap loose">
      <p className="unfinished" lang={spoken} dir={direction[spoken]}>
        {t('blocks.visual.undrawn', { name: blockName(type, spoken) })}
      </p>
    </div>
  )
}

/** The block as its schema reads it, with what is dropped into its lists in place of those. */
function readBlock(type: BlockType, values: Values) {
  const places: { path: string[]; slot: SlotComponent }[] = []
  const plain = withoutSlots(fieldsOf(type), values, [], places)
  const { data } = blockSchema.safeParse({ ...plain, type })
  if (!data) return undefined
  const slots = new Map(places.map(({ path, slot }) => [at(data, path) as readonly StoredBlock[], slot]))
  return { block: data, slots }
}

function withoutSlots(
  fields: readonly Field[],
  values: Values,
  path: string[],
  places: { path: string[]; slot: SlotComponent }[],
): Values {
  // Only what the schema knows: Puck adds of its own.
  const known: Values = {}
  for (const field of fields) {
    const value = values[field.name]
    const here = [...path, field.name]
    if (value === undefined) continue
    if (field.kind === 'blocks') {
      known[field.name] = []
      places.push({ path: here, slot: value as SlotComponent })
    } else if (field.kind === 'object') {
      known[field.name] = withoutSlots(field.fields, value as Values, here, places)
    } else if (field.kind === 'objects' && Array.isArray(value)) {
      known[field.name] = value.map((entry: Values, index) =>
        withoutSlots(field.fields, entry, [...here, String(index)], places),
      )
    } else known[field.name] = value
  }
  return known
}

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Values | undefined)?.[name], value)
