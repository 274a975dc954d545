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
import { type AnyBlock, type BlockType, blockSchema, blocks, isFullWidth } from '../../../blocks/registry.ts'
import { renderHtml, renderText } from '../../../blocks/render-text.tsx'
import { shapes } from '../../../blocks/shapes.ts'
import { styled } from '../../../blocks/styled.tsx'
import { directionOf, isPersian } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { useArrivingImage } from '../files/local-images.ts'
import { insertImage } from './block-images.ts'
import { BlockLockIcon } from './block-lock-icon.tsx'
import { InLockedBlock, isLockedForUser, LocksContext, rolesOf } from './block-locks.ts'
import { blockName } from './block-names.tsx'
import { storedId } from './puck-data.ts'
import { markTexts, replaceMarked, type TypedField } from './typed-fields.ts'
import { TypedBlock, TypedText } from './typed-text.tsx'
import frameCss from './visual-frame.css?inline'

/** The render context of the canvas's blocks, and the ids of blocks with errors. */
export const CanvasContext = createContext<{ renderContext: RenderContext; wrong: ReadonlySet<string> } | undefined>(
  undefined,
)
const InColumn = createContext(false)

type Values = Record<string, unknown>
interface CanvasBlockProps {
  type: BlockType
  id: string
  /** Puck's ref for dragging. */
  dragRef: unknown
}

/** Renders a block as the site does, from its form values. While they are invalid, the last valid ones are rendered. */
export function CanvasBlock(props: CanvasBlockProps & { values: Values }): ReactNode {
  const { type, id, dragRef, values } = props
  const t = useText()
  const uiLocale = useLocale()
  const canvas = useContext(CanvasContext)
  const inColumn = useContext(InColumn)
  const lastValid = useRef<ReactNode>(undefined)
  const lastStyle = useRef<AnyBlock['style']>(undefined)
  const read = useMemo(() => readBlock(type, values), [type, values])
  const [focusedPath, setFocusedPath] = useState<string>()
  const arriving = useArrivingImage(id)
  const isInvalid = read === undefined
  const typedBlock = useMemo(() => ({ id, type, setFocusedPath, isInvalid }), [id, type, isInvalid])
  const locks = useContext(LocksContext)
  const locked = useIsLocked(id)
  const drag = useDrag(locked)
  if (!canvas) return null
  if (read) {
    const renderNested = (list: readonly StoredBlock[]) => {
      const Slot = read.slots.get(list)
      // Called and not rendered as a component: Puck makes a new function for each change, which would mount the nested
      // blocks again and take the caret from their texts.
      const slot = Slot as ((props: { minEmptyHeight: number }) => ReactNode) | undefined
      return slot && <InColumn value={true}>{slot({ minEmptyHeight: 72 })}</InColumn>
    }
    const { View } = blocks[type] as { View: (block: unknown, renderContext: RenderContext) => ReactNode }
    const { images } = canvas.renderContext
    const context = {
      ...canvas.renderContext,
      renderNested,
      ...(arriving && { images: new Map([...images, [arriving.src, arriving] as const]) }),
    }
    const { block, texts } = markTexts(fieldsOf(type), read.block as unknown as Values, focusedPath)
    // After marking, because the sample texts of an entry that the image adds cannot be typed in yet.
    const shown = (arriving && insertImage(block as unknown as StoredBlock, arriving.src, context.locale)) ?? block
    lastValid.current = replaceMarked(View(shown, context), {
      texts,
      fill: ({ field, value }: TypedField) =>
        field.kind === 'richText' ? renderHtml(value, context) : renderText(value, context),
      render: (element) => <TypedText key={element.typed.path} {...element} />,
    })
    lastStyle.current = read.block.style
  }
  const view = lastValid.current ?? (
    <p className="unfinished" lang={uiLocale} dir={directionOf(uiLocale)}>
      {t('blocks.visual.unfinished', { name: blockName(type, uiLocale) })}
    </p>
  )
  const own = {
    ref: dragRef,
    ...drag,
    'data-wrong': canvas.wrong.has(storedId(id)) || undefined,
  }
  return (
    <InLockedBlock value={locked}>
      <TypedBlock value={typedBlock}>{outermost()}</TypedBlock>
    </InLockedBlock>
  )

  /** The element that Puck drags: the block's own one where it has one. */
  function outermost() {
    const fullWidth = isFullWidth(type)
    const inMargins = fullWidth || inColumn ? view : <div className="wrap loose">{view}</div>
    const inStyle = canvas && styled(lastStyle.current, inMargins, canvas.renderContext, { fullWidth, first: false })
    if (inStyle) {
      const className = inColumn ? `in-column ${inStyle.props.className}` : inStyle.props.className
      return withMark(inStyle, { className })
    }
    if (fullWidth && isValidElement<object>(view) && typeof view.type === 'string') return withMark(view)
    return withMark(<div className={inColumn ? 'in-column' : 'wrap loose'}>{view}</div>)
  }

  /** The mark of a lock is inside the block: beside it, the styles of the site would not apply to the blocks as they do there. */
  function withMark(element: ReactElement<object>, more: { className?: string } = {}) {
    const props = { ...own, ...more } as object
    if (inColumn || rolesOf(locks, storedId(id)).length === 0) return cloneElement(element, props)
    const { children } = element.props as { children?: ReactNode }
    return cloneElement(element, props, ...[children].flat(), <LockMark block={storedId(id)} />)
  }
}

/** Whether a block of the canvas, or the columns around it, is locked for this user. */
function useIsLocked(id: string): boolean {
  const locks = useContext(LocksContext)
  return useContext(InLockedBlock) || isLockedForUser(locks, storedId(id))
}

/** The attributes of an element that Puck drags, or that stays in its place. */
function useDrag(locked: boolean) {
  const t = useText()
  // Puck adds it too, but only later: a block that comes back gets the focus at once.
  const tabIndex = 0
  if (!locked) return { tabIndex, 'aria-roledescription': t('blocks.visual.drag.role') }
  return {
    tabIndex,
    'aria-roledescription': t('blocks.visual.block'),
    // Otherwise that of dragging.
    'aria-describedby': '',
    'data-fixed': '',
    onPointerDownCapture: (event: PointerEvent) => event.stopPropagation(),
  }
}

/** In the corner of a locked block. It takes no room, so that the page looks as it does for visitors. */
function LockMark({ block }: { block: string }) {
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
  const drag = useDrag(useIsLocked(id))
  return (
    <div ref={dragRef as Ref<HTMLDivElement>} {...drag} className="wrap loose">
      <p className="unfinished" lang={uiLocale} dir={directionOf(uiLocale)}>
        {t('blocks.visual.failed', { name: blockName(type, uiLocale) })}
      </p>
    </div>
  )
}

/** Parses the block with its schema, with Puck's slots in place of its lists of blocks. */
function readBlock(type: BlockType, values: Values) {
  const slotPaths: { path: string[]; slot: SlotComponent }[] = []
  const plain = withoutSlots(fieldsOf(type), values, [], slotPaths)
  const { data } = blockSchema.safeParse({ ...plain, type })
  if (!data) return undefined
  const slots = new Map(slotPaths.map(({ path, slot }) => [at(data, path) as readonly StoredBlock[], slot]))
  return { block: data, slots }
}

function withoutSlots(
  fields: readonly Field[],
  values: Values,
  path: string[],
  slotPaths: { path: string[]; slot: SlotComponent }[],
): Values {
  // Only the schema's keys: Puck adds its own.
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

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Values | undefined)?.[name], value)

/** The page around the blocks: the site's styles and language. Links do not navigate and dropped files do not open. */
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
    // Otherwise the page is seen without its styles until they have loaded.
    page.documentElement.style.visibility = 'hidden'
    const reveal = () => page.documentElement.style.removeProperty('visibility')
    link.addEventListener('load', reveal)
    link.addEventListener('error', reveal)
    page.head.append(link, style)
    const outlines = page.createElement('div')
    // The SVG shapes that the styles use as clip paths.
    outlines.innerHTML = `<svg class="shapes" width="0" height="0" aria-hidden="true">${shapes}</svg>`
    page.body.prepend(outlines)
    const stay = (event: Event) => event.preventDefault()
    const stayInLinks = (event: Event) => {
      const stays = 'a:not([data-leaves-canvas]), summary, button[type="submit"]'
      if ((event.target as Element).closest(stays)) event.preventDefault()
    }
    // Without this the browser opens a dropped file instead of the page.
    const stayWithFiles = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    page.addEventListener('submit', stay)
    // A dragged text would be lost on its way; blocks are dragged by pointer events.
    page.addEventListener('dragstart', stay)
    // In the capture phase: Puck stops a click at its block.
    page.addEventListener('click', stayInLinks, true)
    page.addEventListener('dragover', stayWithFiles)
    page.addEventListener('drop', stayWithFiles)
    return () => {
      for (const one of [link, style, outlines]) one.remove()
      page.removeEventListener('submit', stay)
      page.removeEventListener('dragstart', stay)
      page.removeEventListener('click', stayInLinks, true)
      page.removeEventListener('dragover', stayWithFiles)
      page.removeEventListener('drop', stayWithFiles)
    }
  }, [page, locale, dir])
  // After the effect above, which adds the stylesheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another locale has another stylesheet
  useEffect(() => {
    if (!page) return undefined
    const link = page.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
    const show = () => {
      page.documentElement.style.colorScheme = scheme
      if (link?.sheet) showScheme(link.sheet.cssRules, scheme)
    }
    show()
    link?.addEventListener('load', show)
    return () => link?.removeEventListener('load', show)
  }, [page, locale, scheme])
  return <>{children}</>
}

const darkQuery = /\(prefers-color-scheme: ?dark\)/
const queries = new WeakMap<CSSMediaRule, string>()

/** The user chooses the admin's colour scheme, but the frame's media queries ask for the system's. */
function showScheme(rules: CSSRuleList, scheme: 'light' | 'dark'): void {
  for (const rule of rules) {
    // The frame has its own classes, so `instanceof` does not work here.
    const { media } = rule as CSSMediaRule
    const query = media && (queries.get(rule as CSSMediaRule) ?? media.mediaText)
    if (query && darkQuery.test(query)) {
      queries.set(rule as CSSMediaRule, query)
      media.mediaText = query.replace(darkQuery, scheme === 'dark' ? '(min-width: 0)' : '(max-width: 0)')
    }
    if ('cssRules' in rule) showScheme((rule as CSSGroupingRule).cssRules, scheme)
  }
}
