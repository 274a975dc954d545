import { type ComponentConfig, type Config, createUsePuck, type Dictionary, type Fields } from '@puckeditor/core'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { createContext, memo, type ReactNode, useContext } from 'react'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { renderSiteFooter, renderSiteHeader } from '../../../blocks/site-areas.tsx'
import { adminLocale, directionOf, type Locale, localizedPath, sampleLocale } from '../../../contract/locales.ts'
import { ErrorBoundary } from '../../components/states.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { CanvasBlock, CanvasContext, FailedBlock } from './canvas-block.tsx'
import { toItem } from './puck-data.ts'

/**
 * The block registry as a configuration of Puck, the visual editor. `BlockForm` renders the fields, so Puck gets only the
 * lists of nested blocks, as slots.
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
 * A user changes only texts and images of a locked block. The block itself stops dragging: without Puck's permission to
 * drag, screen readers would announce the block and all its texts as disabled.
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
    defaultProps: defaultPropsOf(type, locale.content),
    inline: true,
    resolvePermissions: ({ props }) => (isLocked(String(props.id)) ? lockedPermissions : {}),
    render: ({ id, puck, editMode: _mode, ...values }) => (
      <ErrorBoundary resetKey={values} fallback={() => <FailedBlock type={type} id={id} dragRef={puck.dragRef} />}>
        <CanvasBlock type={type} id={id} dragRef={puck.dragRef} values={values} />
      </ErrorBoundary>
    ),
  }
}

/** The props of a new block without ids, also in its nested blocks: Puck assigns new ones. */
function defaultPropsOf(type: BlockType, locale: Locale): Record<string, unknown> {
  const { props } = toItem({ type, ...structuredClone(blocks[type].defaults[sampleLocale(locale)]) })
  return JSON.parse(JSON.stringify(props, (name, value) => (name === 'id' ? undefined : value)))
}

/** Puck's fields for the lists of nested blocks, at any depth. */
function slotsOf(fields: readonly Field[]): Fields {
  const slots: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.kind === 'blocks') slots[field.name] = { type: 'slot', allow: [...field.types] }
    if (field.kind !== 'object' && field.kind !== 'objects') continue
    const nested = slotsOf(field.fields)
    if (Object.keys(nested).length === 0) continue
    slots[field.name] =
      field.kind === 'object' ? { type: 'object', objectFields: nested } : { type: 'array', arrayFields: nested }
  }
  return slots as Fields
}

function Main({ children }: { children: ReactNode }) {
  const title = useContext(PageTitleContext)
  return (
    <>
      <SiteArea part="navbar" />
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
      <SiteArea part="footer" />
    </>
  )
}

/** Opens the dialog to add the first block. */
export const AddFirstBlockContext = createContext<() => void>(() => {})
const usePuck = createUsePuck()

/** Shown on the canvas when the page has no blocks. */
function EmptyCanvas() {
  const t = useText()
  const uiLocale = useLocale()
  const addFirstBlock = useContext(AddFirstBlockContext)
  const isEmpty = usePuck((puck) => puck.appState.data.content.length === 0)
  if (!isEmpty) return null
  return (
    <div className="nothing-yet" lang={uiLocale} dir={directionOf(uiLocale)}>
      <h2>{t('blocks.visual.emptyTitle')}</h2>
      <p>{t('blocks.visual.emptyText')}</p>
      <button type="button" className="button" onClick={addFirstBlock}>
        {t('blocks.add')}
      </button>
    </div>
  )
}

/** The title to render above the blocks; empty when one of them has a heading. */
export const PageTitleContext = createContext('')

/** Translations of Puck's own texts, without those of parts of Puck that are not used here. */
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

/** The site's header or footer, as visitors see it. Not edited here: a link leads to its part of the configuration. */
const SiteArea = memo(({ part }: { part: 'navbar' | 'footer' }) => {
  const t = useText()
  const uiLocale = useLocale()
  const maySeeConfig = useRight(...configReadRights)
  const renderContext = useContext(CanvasContext)?.renderContext
  if (!renderContext) return null
  const { path, site } = renderContext
  const alternates = site.locales.map((locale) => ({ locale, path: localizedPath(path, locale, site) }))
  return (
    <ErrorBoundary resetKey={site} fallback={() => null}>
      <div className="around-page">
        <div inert>
          {part === 'navbar' ? renderSiteHeader(renderContext, alternates) : renderSiteFooter(renderContext)}
        </div>
        {maySeeConfig && (
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
