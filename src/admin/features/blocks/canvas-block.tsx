import { useComputedColorScheme } from '@mantine/core'
import type { SlotComponent } from '@puckeditor/core'
import {
  cloneElement,
  createContext,
  isValidElement,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { RenderContext } from '../../../blocks/define-block.ts'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { type AnyBlock, type BlockType, blocks, isFullWidth } from '../../../blocks/registry.ts'
import { renderHtml, renderText } from '../../../blocks/render-text.tsx'
import { shapes } from '../../../blocks/shapes.ts'
import { wrapInStyle } from '../../../blocks/styled.tsx'
import { directionOf, isPersian } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { useUploadPreview } from '../files/local-images.ts'
import { insertImage } from './block-images.ts'
import { BlockLockIcon } from './block-lock-icon.tsx'
import { InLockedBlockContext, isLockedForUser, LocksContext, rolesOf } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { storedId } from './puck-data.ts'
import { renderableBlock, valueAt } from './renderable-block.ts'
import { markTexts, replaceMarked, type TypedField } from './typed-fields.ts'
import { TypedBlockContext, TypedText } from './typed-text.tsx'
import frameCss from './visual-frame.css?inline'

/** The render context of the canvas's blocks, and the ids of blocks with errors. */
export const CanvasContext = createContext<
  { renderContext: RenderContext; invalidIds: ReadonlySet<string> } | undefined
>(undefined)
const InColumnContext = createContext(false)

type Values = Record<string, unknown>
interface CanvasBlockProps {
  type: BlockType
  id: string
  /** Puck's ref for the element to drag. */
  dragRef: unknown
}

/** Renders a block as the site does, from its form values. While no valid block can be made of them, the last view stays. */
export function CanvasBlock(props: CanvasBlockProps & { values: Values }): ReactNode {
  const { type, id, dragRef, values } = props
  const t = useText()
  const uiLocale = useLocale()
  const canvas = useContext(CanvasContext)
  const inColumn = useContext(InColumnContext)
  const lastValidView = useRef<ReactNode>(undefined)
  const lastValidStyle = useRef<AnyBlock['style']>(undefined)
  const lastValidValues = useRef<Values>(undefined)
  const locale = canvas?.renderContext.locale ?? 'nl'
  const parsed = useMemo(
    () => parseBlock(type, values, { locale, lastValid: lastValidValues.current }),
    [type, values, locale],
  )
  const [focusedPath, setFocusedPath] = useState<string>()
  const uploadPreview = useUploadPreview(id)
  const wrongPaths = parsed?.wrongPaths
  const typedBlock = useMemo(() => {
    const isWrong = (path: string) => !wrongPaths || wrongPaths.some((wrong) => `${path}.`.startsWith(`${wrong}.`))
    return { id, type, setFocusedPath, isWrong }
  }, [id, type, wrongPaths])
  const locks = useContext(LocksContext)
  const locked = useIsLocked(id)
  const dragAttributes = useDragAttributes(locked)
  if (!canvas) return null
  if (parsed) {
    const renderNested = (list: readonly StoredBlock[]) => {
      // Called and not rendered as a component: Puck makes a new function for each change, which would mount the nested
      // blocks again and take the caret from their texts.
      const renderSlot = parsed.slots.get(list) as ((props: { minEmptyHeight: number }) => ReactNode) | undefined
      return renderSlot && <InColumnContext value={true}>{renderSlot({ minEmptyHeight: 72 })}</InColumnContext>
    }
    const { View } = blocks[type] as { View: (block: unknown, renderContext: RenderContext) => ReactNode }
    const { images } = canvas.renderContext
    const context = {
      ...canvas.renderContext,
      renderNested,
      ...(uploadPreview && { images: new Map([...images, [uploadPreview.src, uploadPreview] as const]) }),
    }
    const { block: marked, texts } = markTexts(fieldsOf(type), parsed.block as unknown as Values, focusedPath)
    // After marking, because the sample texts of an entry that the image adds cannot be typed in yet.
    const withImage = uploadPreview && insertImage(marked as unknown as StoredBlock, uploadPreview.src, context.locale)
    lastValidView.current = replaceMarked(View(withImage ?? marked, context), {
      texts,
      fill: ({ field, value }: TypedField) =>
        field.kind === 'richText' ? renderHtml(value, context) : renderText(value, context),
      render: (element) => <TypedText key={element.typed.path} {...element} />,
    })
    lastValidStyle.current = parsed.block.style
    lastValidValues.current = parsed.values
  }
  const view = lastValidView.current ?? (
    <p className="unfinished" lang={uiLocale} dir={directionOf(uiLocale)}>
      {t('blocks.visual.unfinished', { name: blockName(type, uiLocale) })}
    </p>
  )
  const attributes = {
    ref: dragRef,
    ...dragAttributes,
    'data-wrong': canvas.invalidIds.has(storedId(id)) || undefined,
  }
  return (
    <InLockedBlockContext value={locked}>
      <TypedBlockContext value={typedBlock}>{renderOutermost()}</TypedBlockContext>
    </InLockedBlockContext>
  )

  /** Renders the element that Puck drags: that of the block's style, a full-width view's own root, or a wrapper. */
  function renderOutermost() {
    const fullWidth = isFullWidth(type)
    const inMargins = fullWidth || inColumn ? view : <div className="wrap loose">{view}</div>
    const inStyle =
      canvas && wrapInStyle(lastValidStyle.current, inMargins, canvas.renderContext, { fullWidth, first: false })
    if (inStyle) {
      const className = inColumn ? `in-column ${inStyle.props.className}` : inStyle.props.className
      return withAttributes(inStyle, { className })
    }
    if (fullWidth && isValidElement<object>(view) && typeof view.type === 'string') return withAttributes(view)
    return withAttributes(<div className={inColumn ? 'in-column' : 'wrap loose'}>{view}</div>)
  }

  /** Adds the attributes for dragging, and the lock icon as a child: a sibling would change which styles apply. */
  function withAttributes(element: ReactElement<object>, className: { className?: string } = {}) {
    const props = { ...attributes, ...className } as object
    if (inColumn || rolesOf(locks, storedId(id)).length === 0) return cloneElement(element, props)
    const { children } = element.props as { children?: ReactNode }
    return cloneElement(element, props, ...[children].flat(), <LockCorner block={storedId(id)} />)
  }
}

/** Whether a block of the canvas, or the columns around it, is locked for this user. */
function useIsLocked(id: string): boolean {
  const locks = useContext(LocksContext)
  return useContext(InLockedBlockContext) || isLockedForUser(locks, storedId(id))
}

/** The attributes of a block's outermost element: those to drag it, or those that keep a locked block in its place. */
function useDragAttributes(locked: boolean) {
  const t = useText()
  // Puck adds it too, but only later: a block that comes back gets the focus at once.
  const tabIndex = 0
  if (!locked) return { tabIndex, 'aria-roledescription': t('blocks.visual.drag.role') }
  return {
    tabIndex,
    'aria-roledescription': t('blocks.visual.block'),
    // Replaces the instructions for dragging.
    'aria-describedby': '',
    'data-fixed': '',
    onPointerDownCapture: (event: PointerEvent) => event.stopPropagation(),
  }
}

/** The lock icon in the corner of a block. It takes no space, so that the page looks as it does for visitors. */
function LockCorner({ block }: { block: string }) {
  const uiLocale = useLocale()
  return (
    <div className="locked" lang={uiLocale} dir={directionOf(uiLocale)}>
      <BlockLockIcon block={block} />
    </div>
  )
}

/** Shown when rendering a block fails: it can still be selected, edited and removed. */
export function FailedBlock({ type, id, dragRef }: CanvasBlockProps): ReactNode {
  const t = useText()
  const uiLocale = useLocale()
  const dragAttributes = useDragAttributes(useIsLocked(id))
  return (
    <div ref={dragRef as Ref<HTMLDivElement>} {...dragAttributes} className="wrap loose">
      <p className="unfinished" lang={uiLocale} dir={directionOf(uiLocale)}>
        {t('blocks.visual.failed', { name: blockName(type, uiLocale) })}
      </p>
    </div>
  )
}

/** Parses a block, see `renderableBlock`. `slots` maps its lists, which are empty, to Puck's slots. */
function parseBlock(type: BlockType, values: Values, options: Parameters<typeof renderableBlock>[2]) {
  const slotPaths: SlotPath[] = []
  const renderable = renderableBlock(type, withoutSlots(fieldsOf(type), values, [], slotPaths), options)
  if (!renderable) return undefined
  const { block } = renderable
  const slots = new Map(slotPaths.map(({ path, slot }) => [valueAt(block, path) as readonly StoredBlock[], slot]))
  return { ...renderable, slots }
}

interface SlotPath {
  path: string[]
  slot: SlotComponent
}

/** Copies values with an empty list in place of each slot, and adds the slots to `slotPaths`. */
function withoutSlots(fields: readonly Field[], values: Values, path: string[], slotPaths: SlotPath[]): Values {
  // Only the fields of the schema: Puck adds props of its own.
  const plain: Values = {}
  for (const field of fields) {
    const value = values[field.name]
    const fieldPath = [...path, field.name]
    if (value === undefined) continue
    if (field.kind === 'blocks') {
      plain[field.name] = []
      slotPaths.push({ path: fieldPath, slot: value as SlotComponent })
    } else if (field.kind === 'object') {
      plain[field.name] = withoutSlots(field.fields, value as Values, fieldPath, slotPaths)
    } else if (field.kind === 'objects' && Array.isArray(value)) {
      plain[field.name] = value.map((entry: Values, index) =>
        withoutSlots(field.fields, entry, [...fieldPath, String(index)], slotPaths),
      )
    } else plain[field.name] = value
  }
  return plain
}

/** Sets up the canvas's document: the site's styles and language. Links do not navigate, dropped files do not open. */
export function CanvasFrame({ children, document: page }: { children: ReactNode; document?: Document }) {
  const locale = useContext(CanvasContext)?.renderContext.locale ?? 'nl'
  const dir = useContentDirection(locale)
  const title = useText()('blocks.visual.label')
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    if (page?.defaultView?.frameElement) (page.defaultView.frameElement as HTMLIFrameElement).title = title
  }, [page, title])
  useEffect(() => {
    if (!page) return
    page.documentElement.lang = locale
    page.documentElement.dir = dir
    const link = page.createElement('link')
    link.rel = 'stylesheet'
    link.href = `/site.${isPersian(locale) ? 'fa' : 'nl'}.css`
    const style = page.createElement('style')
    style.textContent = frameCss
    // Hidden until the stylesheet has loaded, so that nobody sees the page without it.
    page.documentElement.style.visibility = 'hidden'
    const reveal = () => page.documentElement.style.removeProperty('visibility')
    link.addEventListener('load', reveal)
    link.addEventListener('error', reveal)
    page.head.append(link, style)
    const clipPaths = page.createElement('div')
    // The SVG shapes that the styles use as clip paths.
    clipPaths.innerHTML = `<svg class="shapes" width="0" height="0" aria-hidden="true">${shapes}</svg>`
    page.body.prepend(clipPaths)
    const preventDefault = (event: Event) => event.preventDefault()
    const preventNavigation = (event: Event) => {
      const inertElements = 'a:not([data-leaves-canvas]), summary, button[type="submit"]'
      if ((event.target as Element).closest(inertElements)) event.preventDefault()
    }
    // Without this the browser opens a dropped file instead of the page.
    const preventOpeningFile = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    page.addEventListener('submit', preventDefault)
    // A dragged text would be lost on its way; blocks are dragged by pointer events.
    page.addEventListener('dragstart', preventDefault)
    // In the capture phase: Puck stops a click at its block.
    page.addEventListener('click', preventNavigation, true)
    page.addEventListener('dragover', preventOpeningFile)
    page.addEventListener('drop', preventOpeningFile)
    return () => {
      for (const element of [link, style, clipPaths]) element.remove()
      page.removeEventListener('submit', preventDefault)
      page.removeEventListener('dragstart', preventDefault)
      page.removeEventListener('click', preventNavigation, true)
      page.removeEventListener('dragover', preventOpeningFile)
      page.removeEventListener('drop', preventOpeningFile)
    }
  }, [page, locale, dir])
  // After the effect above, which adds the stylesheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another locale has another stylesheet
  useEffect(() => {
    if (!page) return undefined
    const link = page.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
    const applyScheme = () => {
      page.documentElement.style.colorScheme = scheme
      if (link?.sheet) forceScheme(link.sheet.cssRules, scheme)
    }
    applyScheme()
    link?.addEventListener('load', applyScheme)
    return () => link?.removeEventListener('load', applyScheme)
  }, [page, locale, scheme])
  return <>{children}</>
}

const darkQuery = /\(prefers-color-scheme: ?dark\)/
const originalQueries = new WeakMap<CSSMediaRule, string>()

/** Makes media queries for the dark scheme follow the user's choice for the admin, and not the operating system. */
function forceScheme(rules: CSSRuleList, scheme: 'light' | 'dark'): void {
  for (const rule of rules) {
    // The frame has its own classes, so `instanceof` does not work here.
    const { media } = rule as CSSMediaRule
    const query = media && (originalQueries.get(rule as CSSMediaRule) ?? media.mediaText)
    if (query && darkQuery.test(query)) {
      originalQueries.set(rule as CSSMediaRule, query)
      media.mediaText = query.replace(darkQuery, scheme === 'dark' ? '(min-width: 0)' : '(max-width: 0)')
    }
    if ('cssRules' in rule) forceScheme((rule as CSSGroupingRule).cssRules, scheme)
  }
}
