import { type ComponentConfig, type Config, createUsePuck, type Dictionary, type Fields } from '@puckeditor/core'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { createContext, memo, type ReactNode, useContext } from 'react'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { siteFooter, siteHeader } from '../../../blocks/site-areas.tsx'
import { adminLocale, directionOf, type Locale, localizedPath, sampleLocale } from '../../../contract/locales.ts'
import { ErrorBoundary } from '../../components/states.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { CanvasBlock, CanvasContext, FailedBlock } from './canvas-block.tsx'
import { toItem } from './puck-data.ts'

/**
 * The block registry as a Puck configuration. `BlockForm` renders the fields, so Puck gets only the lists of blocks as
 * slots.
 * @param isLocked whether a block, by Puck's id, is locked for this user
 */
export function puckConfig(locale: { content: Locale; ui: Locale }, isLocked: (id: string) => boolean): Config {
  const components = Object.fromEntries(
    (Object.keys(blocks) as BlockType[]).map((type) => [type, componentOf(type, locale, isLocked)]),
  )
  return {
    components,
    root: { fields: {}, render: ({ children }: { children: ReactNode }) => <Main>{children}</Main> },
  }
}

/**
 * A user types and chooses images in a locked block, and nothing else. Dragging is stopped by the block itself: without the
 * permission to drag, a block would be announced as disabled, with all texts in it.
 */
export const lockedPermissions = { duplicate: false, delete: false, insert: false }

function componentOf(
  type: BlockType,
  locale: { content: Locale; ui: Locale },
  isLocked: (id: string) => boolean,
): ComponentConfig {
  return {
    label: blocks[type].labels[adminLocale(locale.ui)].name,
    fields: slotsOf(fieldsOf(type)),
    defaultProps: freshProps(type, locale.content),
    inline: true,
    resolvePermissions: ({ props }) => (isLocked(String(props.id)) ? lockedPermissions : {}),
    render: ({ id, puck, editMode: _mode, ...values }) => (
      <ErrorBoundary resetKey={values} fallback={() => <FailedBlock type={type} id={id} dragRef={puck.dragRef} />}>
        <CanvasBlock type={type} id={id} dragRef={puck.dragRef} values={values} />
      </ErrorBoundary>
    ),
  }
}

/** Puck assigns new ids to the default nested blocks of a new block. */
function freshProps(type: BlockType, locale: Locale): Record<string, unknown> {
  const { props } = toItem({ type, ...structuredClone(blocks[type].defaults[sampleLocale(locale)]) })
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
  const title = useContext(PageTitle)
  return (
    <>
      <AroundPage part="navbar" />
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
      <AroundPage part="footer" />
    </>
  )
}

/** Opens the dialog to add the first block. */
export const AddFirst = createContext<() => void>(() => {})
const usePuck = createUsePuck()

/** Shown on the canvas when the page has no blocks. */
function EmptyCanvas() {
  const t = useText()
  const uiLocale = useLocale()
  const add = useContext(AddFirst)
  const empty = usePuck((puck) => puck.appState.data.content.length === 0)
  if (!empty) return null
  return (
    <div className="nothing-yet" lang={uiLocale} dir={directionOf(uiLocale)}>
      <h2>{t('blocks.visual.emptyTitle')}</h2>
      <p>{t('blocks.visual.emptyText')}</p>
      <button type="button" className="button" onClick={add}>
        {t('blocks.add')}
      </button>
    </div>
  )
}

/** The title rendered above the blocks when none of them has a heading; otherwise empty. */
export const PageTitle = createContext('')

/** Translations of Puck's own texts; those of unused parts are omitted. */
export const puckDictionary = (t: TFunction): Dictionary => ({
  'header-undo': t('blocks.text.undo'),
  'header-redo': t('blocks.text.redo'),
  'action-selectparent': t('blocks.visual.parent'),
  'action-duplicate': t('blocks.visual.duplicate'),
  'action-delete': t('form.delete'),
  'label-page': t('blocks.visual.page'),
  'label-component': t('blocks.visual.block'),
  'outline-empty': t('blocks.empty'),
  'loader-loading': t('states.waiting'),
})

/** The site's header or footer around the page, as visitors see it: it is not edited here, but leads to where it is. */
const AroundPage = memo(({ part }: { part: 'navbar' | 'footer' }) => {
  const t = useText()
  const uiLocale = useLocale()
  const mayChange = useRight(...configReadRights)
  const context = useContext(CanvasContext)?.renderContext
  if (!context) return null
  const { path, site } = context
  const alternates = site.locales.map((locale) => ({ locale, path: localizedPath(path, locale, site) }))
  return (
    <ErrorBoundary resetKey={site} fallback={() => null}>
      <div className="around-page">
        <div inert>{part === 'navbar' ? siteHeader(context, alternates) : siteFooter(context)}</div>
        {mayChange && (
          <Link
            to="/admin/config/$part"
            params={{ part }}
            className="around-page-link"
            data-leaves-canvas=""
            lang={uiLocale}
            dir={directionOf(uiLocale)}
          >
            <Pencil size={16} />
            {t(`blocks.visual.around.${part}`)}
          </Link>
        )}
      </div>
    </ErrorBoundary>
  )
})
