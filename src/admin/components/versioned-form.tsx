import { Button, Table } from '@mantine/core'
import { type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { deepEqual, isRecord } from '../../contract/deep-equal.ts'
import { ApiRefusal, isApiRefusal } from '../client.ts'
import { useText } from '../i18n.ts'
import { Dialog, DialogActions, UnsavedChangesGuard } from './dialog.tsx'
import { type Failure, focusFirstError, SaveFailure, showProblems } from './form.tsx'

interface VersionedFormOptions<Entity, Values> {
  /** The version that the server stores; undefined for an entity that does not exist yet. */
  entity: Entity | undefined
  valuesOf: (entity: Entity | undefined) => Values
  /** Asks for confirmation before saving. @returns whether to save */
  confirm?: (values: Values) => Promise<boolean>
  /**
   * Sends the values to the API. @returns the entity as the server stored it
   * @param base the stored version that the values replace
   * @throws {ApiRefusal}
   */
  save: (values: Values, base: Entity | undefined) => Promise<Entity>
  /**
   * Called after saving, when the form is no longer dirty, for example to navigate.
   * @param base the stored version that was replaced
   */
  onSaved?: (saved: Entity, base: Entity | undefined) => unknown
  /** Maps an error path of the API to a field. */
  fieldOf?: (path: string) => string
  validate?: FormValidateInput<Values>
}

export interface VersionedForm<Entity, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The stored version that the edit started from. */
  base: Entity | undefined
  dirty: boolean
  saving: boolean
  /** The last save, if it failed. */
  failure: Failure | undefined
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** The conflict when somebody else has saved meanwhile: their version, and the ways to resolve it. */
  stale: ({ theirs: Entity } & StaleActions) | undefined
}

export interface StaleActions {
  keepMine: () => void
  takeTheirs: () => void
  /** Closes the dialog without a choice; the next save has the same conflict. */
  close: () => void
}

/**
 * A form with optimistic locking. As long as it has no changes, a version that somebody else saved replaces its values;
 * otherwise the user chooses which version to keep. Values typed while a save is in progress stay.
 */
export function useVersionedForm<Entity extends { version: number }, Values extends Record<string, unknown>>(
  options: VersionedFormOptions<Entity, Values>,
): VersionedForm<Entity, Values> {
  const { entity, valuesOf, confirm, save, onSaved, fieldOf, validate } = options
  const [base, setBase] = useState(entity)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [theirs, setTheirs] = useState<Entity>()
  const form = useForm<Values>({ initialValues: valuesOf(entity), ...(validate && { validate }) })
  const dirty = form.isDirty()

  const resetTo = (stored: Entity, unsaved: Partial<Values> = {}) => {
    setBase(stored)
    setFailure(undefined)
    form.setInitialValues(valuesOf(stored))
    form.setValues({ ...valuesOf(stored), ...unsaved })
    form.clearErrors()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entity with the same version is the same
  useEffect(() => {
    if (entity && base && entity.version > base.version && !dirty && !saving) resetTo(entity)
  }, [entity?.version, dirty, saving])

  async function submit(values: Values, replaced = base) {
    if (saving || (confirm && !(await confirm(values)))) return
    setSaving(true)
    setFailure(undefined)
    await send(values, replaced)
    setSaving(false)
  }

  async function send(values: Values, replaced: Entity | undefined): Promise<void> {
    try {
      const saved = await save(values, replaced)
      resetTo(saved, changedSince(values, form.getValues()))
      await onSaved?.(saved, replaced)
    } catch (error) {
      if (isApiRefusal(error, 'stale') && error.problem.current) {
        return resolveStale(values, replaced, error.problem.current as Entity)
      }
      const unplaced = error instanceof ApiRefusal ? showProblems(error, form, fieldOf) : []
      setFailure({ error, unplaced })
    }
  }

  /**
   * Saves again, over the current version, if that overwrites no change of somebody else; otherwise shows the conflict. The
   * current version may also be the user's own, from a save whose response was lost.
   */
  async function resolveStale(values: Values, replaced: Entity | undefined, current: Entity) {
    if (wouldOverwrite(valuesOf(replaced), valuesOf(current), values)) return setTheirs(current)
    setBase(current)
    await send(values, current)
  }

  return {
    form,
    base,
    dirty,
    saving,
    failure,
    onSubmit: form.onSubmit(
      (values) => void submit(values),
      () => focusFirstError(),
    ),
    stale: theirs && {
      theirs,
      close: () => setTheirs(undefined),
      keepMine() {
        setTheirs(undefined)
        setBase(theirs)
        // The values may have changed since the first save was validated.
        if (form.validate().hasErrors) focusFirstError()
        else void submit(form.getValues(), theirs)
      },
      takeTheirs() {
        setTheirs(undefined)
        resetTo(theirs)
      },
    },
  }
}

/**
 * Whether saving my values would overwrite a value that was changed in `theirs`. Objects are compared value by value,
 * lists as a whole. A password is equal in `base` and `theirs`, because the API never returns it.
 */
export function wouldOverwrite(base: unknown, theirs: unknown, mine: unknown): boolean {
  // The server trims texts.
  if (deepEqual(base, theirs) || deepEqual(trimIfText(mine), trimIfText(theirs))) return false
  if (![base, theirs, mine].every(isRecord)) return true
  const [baseValues, theirValues, myValues] = [base, theirs, mine] as Record<string, unknown>[]
  return Object.keys({ ...baseValues, ...theirValues, ...myValues }).some((name) =>
    wouldOverwrite(baseValues?.[name], theirValues?.[name], myValues?.[name]),
  )
}

const trimIfText = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

/** The values that differ from those that were sent. Mantine copies lists and objects, so they are compared by content. */
export const changedSince = <Values extends Record<string, unknown>>(submitted: Values, current: Values) =>
  Object.fromEntries(
    Object.entries(current).filter(([name, value]) => !deepEqual(value, submitted[name])),
  ) as Partial<Values>

export interface Difference {
  label: string
  mine: ReactNode
  theirs: ReactNode
}

/** The form element of `useVersionedForm`, with its save failure, conflict dialog and a guard of unsaved changes. */
export function VersionedFormFrame<Entity, Values extends Record<string, unknown>>(props: {
  versionedForm: VersionedForm<Entity, Values>
  /** The title of the message that saving failed. */
  notSaved: string
  /** All fields with my value and that of the version that somebody else saved. The frame leaves out equal values. */
  differences: (theirs: Entity) => Difference[]
  label?: string
  className?: string | undefined
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  children: ReactNode
}) {
  const { versionedForm, notSaved, differences, label, className = 'stack', onFocus, children } = props
  const { dirty, failure, stale } = versionedForm
  return (
    <form onSubmit={versionedForm.onSubmit} noValidate className={className} aria-label={label} onFocus={onFocus}>
      <UnsavedChangesGuard when={dirty} />
      {failure && <SaveFailure title={notSaved} {...failure} />}
      {children}
      {stale && (
        <StaleDialog differences={differences(stale.theirs).filter(({ mine, theirs }) => mine !== theirs)} {...stale} />
      )}
    </form>
  )
}

/** Shows the differences with the version that somebody else saved, and asks which version to keep. */
export function StaleDialog(props: StaleActions & { differences: Difference[] }) {
  const { differences, keepMine, takeTheirs, close } = props
  const t = useText()
  return (
    <Dialog title={t('form.stale.title')} onClose={close}>
      <p>{t('form.stale.text')}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('form.stale.field')}</Table.Th>
            <Table.Th>{t('form.stale.mine')}</Table.Th>
            <Table.Th>{t('form.stale.theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ label, mine, theirs }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>
                <bdi>{mine}</bdi>
              </Table.Td>
              <Table.Td>
                <bdi>{theirs}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <DialogActions onClose={takeTheirs} close={t('form.stale.takeTheirs')}>
        <Button variant="filled" onClick={keepMine}>
          {t('form.stale.keepMine')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
