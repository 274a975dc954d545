import { TextInput } from '@mantine/core'
import { createContext, type KeyboardEvent, type ReactNode, useContext, useId, useRef, useState } from 'react'
import { type BlockType, blocks } from '../../../blocks/registry.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useLocale, useText } from '../../i18n.ts'
import type { SavedTo } from '../sections/saved-sections.tsx'
import { useRight } from '../sign-in/me.ts'
import { groupedTypes, headerFooterBlockTypes, pageBlockTypes } from './block-choices.ts'
import { BlockThumbnail } from './block-thumbnails.tsx'
import styles from './blocks.module.css'
import choices from './choices.module.css'

const SavedSections = lazyPart(async () => (await import('../sections/saved-sections.tsx')).SavedSections)

/** Set where the header and the footer are edited, whose blocks a page is not offered. */
export const SiteBlocksAllowed = createContext(false)

/** Chooses the type of a new block. */
export function AddBlock(props: {
  types?: readonly BlockType[] | undefined
  /** Offers saved sections too, in this language of the content. */
  saved?: SavedTo
  onChoose: (type: BlockType) => void
  onClose: () => void
}) {
  const allowed = useContext(SiteBlocksAllowed) ? headerFooterBlockTypes : pageBlockTypes
  const { types = allowed, saved, onChoose, onClose } = props
  const t = useText()
  const offered = types.filter((type) => allowed.includes(type))
  return (
    <Dialog title={t('blocks.addTitle')} wide onClose={onClose}>
      <div className={choices.picker}>
        <BlockPicker
          types={offered}
          {...(saved && {
            saved: {
              ...saved,
              onBlocks(blocks) {
                onClose()
                saved.onBlocks(blocks)
              },
            },
          })}
          onFirst={onChoose}
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
 * @param props.onFirst called with the first block that was found, for Enter in the search field
 */
export function BlockPicker(props: {
  types: readonly BlockType[]
  saved?: SavedTo | undefined
  onFirst: (type: BlockType) => void
  children: (type: BlockType) => ReactNode
}) {
  const { types, saved, onFirst, children } = props
  const maySeeSaved = useRight('pages.write', 'pages.publish')
  const onSite = useContext(SiteBlocksAllowed)
  const t = useText()
  const uiLocale = useLocale()
  const root = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const groups = groupedTypes(types, search, uiLocale)
  const found = groups.flatMap((group) => group.types)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const stops = [...(root.current?.querySelectorAll<HTMLElement>('input, [data-choice]') ?? [])]
    stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus()
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
          if (search.trim() && found[0]) onFirst(found[0])
        }}
      />
      <p role="status" className={search.trim() ? 'quiet flush' : 'visually-hidden'}>
        {search.trim() && t('blocks.found', { count: found.length })}
      </p>
      {groups.map(({ group, types: inGroup }) => (
        <section key={group}>
          <h3>{t(`blocks.groups.${group}`)}</h3>
          <ul>
            {inGroup.map((type) => (
              <li key={type}>{children(type)}</li>
            ))}
          </ul>
        </section>
      ))}
      {saved && maySeeSaved && !onSite && <SavedSections {...saved} types={types} search={search} />}
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
