import { TextInput } from '@mantine/core'
import { createContext, type KeyboardEvent, type ReactNode, useContext, useId, useRef, useState } from 'react'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useLocale, useText } from '../../i18n.ts'
import type { SectionTarget } from '../sections/saved-sections.tsx'
import { useRight } from '../sign-in/me.ts'
import { groupedTypes, headerFooterBlockTypes, pageBlockTypes } from './block-choices.ts'
import { BlockThumbnail } from './block-thumbnails.tsx'
import styles from './blocks.module.css'
import choices from './choices.module.css'

const SavedSections = lazyPart(async () => (await import('../sections/saved-sections.tsx')).SavedSections)

/** True where the header and footer are edited, which offer other block types than a page, and no saved sections. */
export const IsHeaderOrFooterContext = createContext(false)

/** A dialog to choose the type of a new block. */
export function AddBlock(props: {
  /** The types that the list may hold; by default all that the page or the site's header and footer may. */
  types?: readonly BlockType[] | undefined
  /** Offers saved sections too. */
  saved?: SectionTarget
  onChoose: (type: BlockType) => void
  onClose: () => void
}) {
  const allowed = useContext(IsHeaderOrFooterContext) ? headerFooterBlockTypes : pageBlockTypes
  const { types = allowed, saved, onChoose, onClose } = props
  const t = useText()
  const offeredTypes = types.filter((type) => allowed.includes(type))
  return (
    <Dialog title={t('blocks.addTitle')} wide onClose={onClose}>
      <div className={choices.picker}>
        <BlockPicker
          types={offeredTypes}
          {...(saved && {
            saved: {
              ...saved,
              onInsert(blocks) {
                onClose()
                saved.onInsert(blocks)
              },
            },
          })}
          onEnter={onChoose}
        >
          {(type) => <BlockTile type={type} onClick={() => onChoose(type)} />}
        </BlockPicker>
      </div>
      <DialogActions onClose={onClose} />
    </Dialog>
  )
}

/**
 * Blocks to choose from, by group, with a search. Arrow keys move between the choices.
 * @param props.onEnter called for Enter in the search field, with the first block that was found
 * @param props.children renders one choice; its control has `data-choice`
 */
export function BlockPicker(props: {
  types: readonly BlockType[]
  saved?: SectionTarget | undefined
  onEnter: (type: BlockType) => void
  children: (type: BlockType) => ReactNode
}) {
  const { types, saved, onEnter, children } = props
  const maySeeSaved = useRight('pages.write', 'pages.publish')
  const isHeaderOrFooter = useContext(IsHeaderOrFooterContext)
  const t = useText()
  const uiLocale = useLocale()
  const root = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const groups = groupedTypes(types, search, uiLocale)
  const matches = groups.flatMap((group) => group.types)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    const controls = [...(root.current?.querySelectorAll<HTMLElement>('input, [data-choice]') ?? [])]
    controls[controls.indexOf(document.activeElement as HTMLElement) + step]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only move the focus between its controls
    <div className={choices.groups} ref={root} onKeyDown={onKeyDown}>
      <TextInput
        type="search"
        aria-label={t('blocks.search')}
        placeholder={t('blocks.search')}
        data-autofocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (search.trim() && matches[0]) onEnter(matches[0])
        }}
      />
      <p role="status" className={search.trim() ? 'quiet flush' : 'visually-hidden'}>
        {search.trim() && t('blocks.found', { count: matches.length })}
      </p>
      {groups.map(({ group, types: groupTypes }) => (
        <section key={group}>
          <h3>{t(`blocks.groups.${group}`)}</h3>
          <ul>
            {groupTypes.map((type) => (
              <li key={type}>{children(type)}</li>
            ))}
          </ul>
        </section>
      ))}
      {saved && maySeeSaved && !isHeaderOrFooter && <SavedSections {...saved} types={types} search={search} />}
    </div>
  )
}

function BlockTile({ type, onClick }: { type: BlockType; onClick: () => void }) {
  const id = useId()
  const { name, hint } = blocks[type].labels[useLocale()]
  return (
    <button
      type="button"
      className={choices.tile}
      aria-labelledby={id}
      aria-describedby={`${id}-hint`}
      data-choice
      onClick={onClick}
    >
      <BlockThumbnail type={type} />
      <strong id={id}>{name}</strong>
      <small id={`${id}-hint`} className={styles.hint}>
        {hint}
      </small>
    </button>
  )
}
