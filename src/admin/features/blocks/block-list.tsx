import { Button } from '@mantine/core'
import { ClipboardPaste, Plus } from 'lucide-react'
import { type ClipboardEvent, useId, useRef, useState } from 'react'
import type { BlockType } from '../../../blocks/registry.ts'
import { limits } from '../../../contract/limits.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useText } from '../../i18n.ts'
import { AddBlock } from './add-block.tsx'
import { BlockItem } from './block-item.tsx'
import styles from './blocks.module.css'
import { asText, readBlocks } from './blocks-on-clipboard.ts'
import { InnerBlocks } from './inner-blocks.ts'
import { noProblems, type Problems } from './problems.ts'
import { useBlockList } from './use-block-list.ts'

interface BlockListProps {
  /** As they are stored: `{ type, id?, … }`. */
  value: readonly StoredBlock[]
  onChange: (value: StoredBlock[]) => void
  /** Of the content, not of who writes it. */
  locale: Locale
  /** By their path in the list: `3.items.0.title`. */
  problems?: Problems
  /** The blocks that may stand here; all of them without. */
  types?: readonly BlockType[]
  most?: number
  /** What the list is called. */
  label?: string
}

/**
 * Blocks as a plain list: each with its name and its first words, opened to its form; added, moved, doubled, removed,
 * copied and pasted by mouse and by keyboard, and told to who listens.
 */
export function BlockList(props: BlockListProps) {
  const { value, locale, problems = noProblems, types, most = limits.pageBlocks, label } = props
  const t = useText()
  const place = useRef<HTMLElement>(null)
  const id = useId()
  const [adding, setAdding] = useState<number>()
  const list = useBlockList({ ...props, most, place, id })

  /** The browser's own copying, for who stands on a block and not in one of its fields. */
  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    const index = list.indexOf(event.target)
    const block = value[index]
    if (!block || inField(event.target)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', asText([block]))
    list.toldCopied(block)
  }
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (inField(event.target) || event.defaultPrevented) return
    const blocks = readBlocks(event.clipboardData.getData('text/plain'), types)
    if (blocks.length === 0) return
    event.preventDefault()
    const index = list.indexOf(event.target)
    list.insert(index < 0 ? value.length : index + 1, blocks)
  }

  return (
    <InnerBlocks value={BlockList}>
      <section
        ref={place}
        className={styles.list}
        aria-label={label ?? t('blocks.label')}
        onCopy={onCopy}
        onPaste={onPaste}
      >
        {label && <p className={styles.listName}>{label}</p>}
        {value.length === 0 && <p className={styles.quiet}>{t('blocks.empty')}</p>}
        <ol className={styles.entries}>
          {value.map((block, index) => (
            <BlockItem
              key={list.keys[index]}
              listId={id}
              block={block}
              index={index}
              all={value.length}
              locale={locale}
              problems={problems}
              list={list}
              onAddBelow={value.length < most ? () => setAdding(index + 1) : undefined}
            />
          ))}
        </ol>
        {value.length < most && (
          <div className="row">
            <Button
              variant="default"
              leftSection={<Plus size={18} aria-hidden />}
              aria-label={label && `${label}: ${t('blocks.add')}`}
              onClick={() => setAdding(value.length)}
            >
              {t('blocks.add')}
            </Button>
            <Button
              variant="subtle"
              leftSection={<ClipboardPaste size={18} aria-hidden />}
              aria-label={label && `${label}: ${t('blocks.paste')}`}
              onClick={() => void list.paste()}
            >
              {t('blocks.paste')}
            </Button>
          </div>
        )}
        <p role="status" className="unseen">
          {list.said}
        </p>
        {adding !== undefined && (
          <AddBlock
            types={types}
            onClose={() => setAdding(undefined)}
            onChoose={(type) => {
              setAdding(undefined)
              list.add(type, adding)
            }}
          />
        )}
      </section>
    </InnerBlocks>
  )
}

const inField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null
