import type { ComponentConfig, Config, Fields } from '@puckeditor/core'
import { type ReactNode, useContext } from 'react'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import { Boundary } from '../../components/boundary.tsx'
import { CanvasBlock, NotDrawn } from './canvas.tsx'
import { EmptyCanvas } from './empty-canvas.tsx'
import { PageHead } from './page-head.ts'
import { toItem } from './puck-data.ts'

/** Every block of the registry as Puck wants to know it. Its fields are drawn by `BlockForm`, so Puck hears only of the lists of blocks. */
export function puckConfig(locale: { content: Locale; spoken: Locale }): Config {
  const components = Object.fromEntries(
    (Object.keys(blocks) as BlockType[]).map((type) => [type, componentOf(type, locale)]),
  )
  return {
    components,
    root: { fields: {}, render: ({ children }: { children: ReactNode }) => <Main>{children}</Main> },
  }
}

function componentOf(type: BlockType, locale: { content: Locale; spoken: Locale }): ComponentConfig {
  return {
    label: blocks[type].labels[locale.spoken].name,
    fields: slotsOf(fieldsOf(type)),
    defaultProps: freshProps(type, locale.content),
    inline: true,
    render: ({ id, puck, editMode: _mode, ...values }) => (
      <Boundary when={values} instead={() => <NotDrawn type={type} dragRef={puck.dragRef} />}>
        <CanvasBlock type={type} id={id} dragRef={puck.dragRef} values={values} />
      </Boundary>
    ),
  }
}

/** Blocks that stand in a new one get their ids from Puck, each time others. */
function freshProps(type: BlockType, locale: Locale): Record<string, unknown> {
  const { props } = toItem({ type, ...structuredClone(blocks[type].defaults[locale]) })
  return JSON.parse(JSON.stringify(props, (name, value) => (name === 'id' ? undefined : value)))
}

function slotsOf(fields: readonly Field[]): Fields {
  const slots: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.kind === 'blocks') slots[field.name] = { type: 'slot', allow: [...field.types] }
    if (field.kind !== 'object' && field.kind !== 'objects') continue
    const inner = slotsOf(field.fields)
    if (Object.keys(inner).length === 0) continue
    slots[field.name] =
      field.kind === 'object' ? { type: 'object', objectFields: inner } : { type: 'array', arrayFields: inner }
  }
  return slots as Fields
}

function Main({ children }: { children: ReactNode }) {
  const title = useContext(PageHead)
  return (
    <main>
      {title && (
        <div className="page-head">
          <div className="wrap">
            <h1>{title}</h1>
          </div>
        </div>
      )}
      {children}
      <EmptyCanvas />
    </main>
  )
}
