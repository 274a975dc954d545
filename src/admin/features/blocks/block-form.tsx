import { Alert, Button } from '@mantine/core'
import { createContext, useContext } from 'react'
import { type Field, fieldsOf } from '../../../blocks/fields.ts'
import { blocks } from '../../../blocks/registry.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { TextLink } from '../../components/buttons.tsx'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { useRight } from '../sign-in/me.ts'
import { FieldsOfBlock } from './block-field.tsx'
import { InLockedBlockContext, isLockedForUser, LockedChangesContext, LocksContext } from './block-locks.ts'
import { isKnown } from './block-names.tsx'
import styles from './blocks.module.css'
import { noProblems, type Problems } from './problems.ts'
import { BlockStyleEnabledContext, withApplicableStyle } from './style-fields.tsx'

/** Whether the form is in the form of another block, which is that of the columns around the block. */
const InFormContext = createContext(false)

/**
 * All fields of a block, as in its schema.
 * @param props.locale the locale of the content, not of the user
 * @param props.problems by path in the block: `items.0.title`; an error of the block itself has an empty path
 * @param props.inColumn whether the block is in a column; not needed inside the form of the columns
 */
export function BlockForm(props: {
  block: StoredBlock
  onChange: (update: (block: StoredBlock) => StoredBlock) => void
  problems?: Problems
  locale: Locale
  inColumn?: boolean
}) {
  const { block, onChange, problems = noProblems, locale, inColumn = false } = props
  const t = useText()
  const isNested = useContext(InFormContext)
  const canHaveStyle = useContext(BlockStyleEnabledContext)
  const locks = useContext(LocksContext)
  const locked = useContext(InLockedBlockContext) || (!isNested && isLockedForUser(locks, block.id))
  if (!isKnown(block.type)) return <Alert color="red">{t('blocks.unknown', { type: block.type })}</Alert>
  const { settings } = blocks[block.type]
  const fields = withApplicableStyle(fieldsOf(block.type), { canHaveStyle, inColumn: isNested || inColumn })
  const blockProblem = problems.type ?? problems['']
  return (
    <InLockedBlockContext value={locked}>
      {!isNested && <LockNotice block={block} locked={locked} />}
      <div className={styles.form} data-block-form="">
        {blockProblem && (
          <Alert color="red" role="alert">
            {blockProblem}
          </Alert>
        )}
        {settings && <SettingsLink part={settings} />}
        <InFormContext value={true}>
          <FieldsOfBlock
            type={block.type}
            fields={fields.filter(({ name }) => name !== 'items' || !showsSiteMenu(block))}
            values={block as unknown as Record<string, unknown>}
            onChange={(update) => onChange((block) => update({ ...block }) as unknown as StoredBlock)}
            problems={problems}
            locale={locale}
          />
        </InFormContext>
        {!isNested && fieldsOf(block.type).some(hasPlaceholders) && <p className="help">{t('blocks.brackets')}</p>}
      </div>
    </InLockedBlockContext>
  )
}

/** A link to the part of the configuration that the block shows besides its own fields. */
function SettingsLink({ part }: { part: 'offer' | 'contact' | 'forms' }) {
  const t = useText()
  const mayChange = useRight(...configReadRights)
  if (!mayChange) return null
  return (
    <TextLink to="/admin/config/$part" params={{ part }}>
      {t(`blocks.inSettings.${part}`)}
    </TextLink>
  )
}

/** Explains what a lock lets the user change in the block, and offers to undo forbidden changes. */
function LockNotice({ block, locked }: { block: StoredBlock; locked: boolean }) {
  const t = useText()
  const { current, problems, putBack } = useContext(LockedChangesContext)
  const index = current.findIndex(({ id }) => id === block.id)
  const isChanged = problems.some(({ path }) => path === `body.${index}` || path.startsWith(`body.${index}.`))
  if (!locked && !isChanged) return null
  return (
    <Alert className={styles.lock ?? ''} {...(isChanged && { color: 'orange', role: 'alert' })}>
      <p className="flush">{t(isChanged ? 'blocks.lock.wrongBlock' : 'blocks.lock.boundBlock')}</p>
      {isChanged && (
        <Button mt="sm" onClick={() => putBack(block.id)}>
          {t('blocks.lock.putBack')}
        </Button>
      )}
    </Alert>
  )
}

/** Whether a block shows the menu of the site, and no items of its own. */
const showsSiteMenu = (block: StoredBlock) => block.type === 'menu' && 'menu' in block && block.menu !== undefined

/** Whether the site replaces placeholders in the field's text. */
function hasPlaceholders(field: Field): boolean {
  if (field.kind === 'object' || field.kind === 'objects') return field.fields.some(hasPlaceholders)
  return ['text', 'textarea', 'richText', 'texts', 'blocks'].includes(field.kind)
}
