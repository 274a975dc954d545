import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import type { Conflict, DraftText, StalePage } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Said } from '../../components/said.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.ts'
import { useMe } from '../sign-in/me.ts'
import styles from './collisions.module.css'
import { Words } from './difference.tsx'
import { type PageField, pageFields } from './differences.ts'
import { nameWithin } from './name-within.ts'
import { BlockSight } from './page-sight.tsx'
import { blockIn, type Choice, isOrder, isWholeBlock, withChoices } from './page-text.ts'
import { readBlock } from './read-block.ts'

/**
 * Somebody saved the same meanwhile. Each thing that collides is shown both ways, and one chooses; everything else of
 * both is in the page already. Until it is chosen nothing is written.
 */
export function Collisions(
  props: StalePage & {
    locale: Locale
    close: () => void
    choose: (chosen: DraftText) => void
  },
) {
  const { page, conflicts, merged, locale, close, choose } = props
  const t = useText()
  const me = useMe()
  const [choices, setChoices] = useState<Choice[]>(() => conflicts.map(() => 'mine'))
  const own = page.savedBy?.id === me.id
  const name = page.savedBy ? nameWithin(page.savedBy, t) : undefined
  return (
    <Dialog title={t('pages.collision.title')} wide onClose={close}>
      <p>
        <Said text={own ? 'pages.collision.ownText' : 'pages.collision.text'} name={<bdi>{name ?? ''}</bdi>} />
      </p>
      <ol className={styles.list}>
        {conflicts.map((conflict, index) => (
          <li key={`${conflict.block}.${conflict.field}`}>
            <Collision
              conflict={conflict}
              text={merged}
              locale={locale}
              name={own ? undefined : name}
              chosen={choices[index] ?? 'mine'}
              choose={(choice) => setChoices(choices.with(index, choice))}
            />
          </li>
        ))}
      </ol>
      <DialogActions>
        <Button variant="default" onClick={close}>
          {t('pages.collision.later')}
        </Button>
        <Button onClick={() => choose(withChoices(merged, conflicts, choices))}>{t('pages.collision.save')}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Collision(props: {
  conflict: Conflict
  text: DraftText
  locale: Locale
  /** Who saved; undefined: oneself. */
  name: string | undefined
  chosen: Choice
  choose: (choice: Choice) => void
}) {
  const { conflict, text, locale, name, chosen, choose } = props
  const t = useText()
  const label = useConflictLabel(conflict, text)
  const option = (choice: Choice) => (
    <label className={styles.option} data-chosen={chosen === choice || undefined}>
      <span className={styles.whose}>
        <input type="radio" checked={chosen === choice} onChange={() => choose(choice)} />
        <span>
          {choice === 'mine' && t('pages.collision.mine')}
          {choice === 'theirs' &&
            (name ? <Said text="pages.collision.theirs" name={<bdi>{name}</bdi>} /> : t('pages.collision.other'))}
        </span>
      </span>
      <Value conflict={conflict} value={conflict[choice]} text={text} locale={locale} />
    </label>
  )
  return (
    <fieldset className={styles.collision}>
      <legend>{label}</legend>
      <div className={styles.both}>
        {option('mine')}
        {option('theirs')}
      </div>
    </fieldset>
  )
}

/** What it is about, in words: a field of the page, a field of a block, a block or the order. */
function useConflictLabel(conflict: Conflict, text: DraftText): string {
  const t = useText()
  const locale = useLocale()
  const { field, block } = conflict
  if (isOrder(conflict)) return t('pages.collision.order')
  if (isWholeBlock(conflict)) {
    return t('pages.collision.block', {
      name: blockName(((conflict.mine ?? conflict.theirs) as StoredBlock).type, locale),
    })
  }
  if (block === null) return isPageField(field) ? t(`pages.fields.${field}`) : t('pages.fields.body')
  const found = blockIn(text, block)
  if (!found) return t('pages.fields.body')
  const [first] = field.split('.')
  const read = readBlock(found, locale).find(({ name }) => name === first)
  return [blockName(found.type, locale), read?.label].filter(Boolean).join(': ')
}

function Value(props: { conflict: Conflict; value: unknown; text: DraftText; locale: Locale }) {
  const { conflict, value, text, locale } = props
  const t = useText()
  const spoken = useLocale()
  if (value === null || value === '')
    return <p className="quiet flush">{t(isWholeBlock(conflict) ? 'pages.collision.deleted' : 'form.nothing')}</p>
  if (isOrder(conflict) || (conflict.block === null && Array.isArray(value))) {
    // Of two whole pages, which together are too long, the blocks themselves.
    const names = (value as (string | StoredBlock)[]).map((one, index) =>
      typeof one === 'string' ? { key: one, block: blockIn(text, one) } : { key: one.id ?? index, block: one },
    )
    return (
      <ol className={styles.order}>
        {names.map(({ key, block }) => block && <li key={key}>{blockName(block.type, spoken)}</li>)}
      </ol>
    )
  }
  if (isWholeBlock(conflict)) return <BlockSight block={value as StoredBlock} contentLocale={locale} />
  if (typeof value === 'boolean') return <p className="flush">{t(value ? 'form.yes' : 'form.no')}</p>
  const holder = conflict.block === null ? undefined : blockIn(text, conflict.block)
  const words = (one: unknown) => readAs(holder, conflict.field, one, spoken)
  return <Words before={words(conflict.base)} after={words(value)} locale={locale} />
}

/** A value of a block's field in words: by the block that would have it. */
function readAs(holder: StoredBlock | undefined, field: string, value: unknown, locale: Locale): string {
  if (value === null || value === undefined) return ''
  if (!holder) return typeof value === 'string' ? value : JSON.stringify(value)
  const [first = field] = field.split('.')
  const whole = field.includes('.') ? undefined : { ...holder, [field]: value }
  const read = whole && readBlock(whole, locale).find(({ name }) => name === first)
  return read?.text ?? (typeof value === 'string' ? value : JSON.stringify(value))
}

const isPageField = (field: string): field is PageField => (pageFields as readonly string[]).includes(field)
