import { Button, Table } from '@mantine/core'
import { type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { deepEqual } from '../../contract/deep-equal.ts'
import { ApiRefusal, isApiRefusal } from '../client.ts'
import { useText } from '../i18n.ts'
import { Dialog, DialogActions, UnsavedChangesGuard } from './dialog.tsx'
import { type FieldProblem, focusFirstError, SaveFailure, showProblems } from './form.tsx'

interface Parts<Entity, Values> {
  /** As stored on the server; undefined for a new one. */
  entity: Entity | undefined
  valuesOf: (entity: Entity | undefined) => Values
  /** Asks for confirmation before saving. */
  confirm?: (values: Values) => Promise<boolean>
  /**
   * @param from the stored version that the values replace
   * @throws {ApiRefusal}
   */
  save: (values: Values, from: Entity | undefined) => Promise<Entity>
  /**
   * Called after saving, when the form is no longer dirty, for example to navigate.
   * @param from the stored version that was replaced
   */
  onSaved?: (saved: Entity, from: Entity | undefined) => unknown
  /** Maps an error path of the API to a field. */
  fieldOf?: (path: string) => string
  validate?: FormValidateInput<Values>
}

interface Failure {
  error: unknown
  count: number
  /** Errors of the API without a field in this form. */
  unplaced: FieldProblem[]
}

export interface VersionedForm<Entity, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The stored version that the edit started from. */
  base: Entity | undefined
  dirty: boolean
  saving: boolean
  /** The last failed save. The count makes a repeated failure announce itself again. */
  failure: Failure | undefined
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Set when somebody else saved meanwhile: their version, and the ways to resolve it. */
  stale: ({ theirs: Entity } & StaleActions) | undefined
}

export interface StaleActions {
  keepMine: () => void
  takeTheirs: () => void
  close: () => void
}

/**
 * A form with optimistic locking. A version that somebody else saved replaces an untouched form; otherwise the user
 * chooses which one to keep. Values typed while a save is in progress stay.
 */
export function useVersionedForm<Entity extends { version: number }, Values extends Record<string, unknown>>(
  parts: Parts<Entity, Values>,
): VersionedForm<Entity, Values> {
  const { entity, valuesOf, confirm, save, onSaved, fieldOf, validate } = parts
  const [base, setBase] = useState(entity)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [theirs, setTheirs] = useState<Entity>()
  const form = useForm<Values>({ initialValues: valuesOf(entity), ...(validate && { validate }) })
  const dirty = form.isDirty()

  const startFrom = (now: Entity, unsaved: Partial<Values> = {}) => {
    setBase(now)
    setFailure(undefined)
    form.setInitialValues(valuesOf(now))
    form.setValues({ ...valuesOf(now), ...unsaved })
    form.clearErrors()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version matters
  useEffect(() => {
    if (entity && base && entity.version > base.version && !dirty && !saving) startFrom(entity)
  }, [entity?.version, dirty, saving])

  async function submit(values: Values, from = base) {
    if (saving || (confirm && !(await confirm(values)))) return
    setSaving(true)
    setFailure(undefined)
    await send(values, from)
    setSaving(false)
  }

  async function send(values: Values, from: Entity | undefined): Promise<void> {
    try {
      const saved = await save(values, from)
      startFrom(saved, typedSince(values, form.getValues()))
      await onSaved?.(saved, from)
    } catch (error) {
      if (isApiRefusal(error, 'stale') && error.problem.current) {
        return resolveStale(values, from, error.problem.current as Entity)
      }
      const unplaced = error instanceof ApiRefusal ? showProblems(error, form, fieldOf) : []
      setFailure((before) => ({ error, count: (before?.count ?? 0) + 1, unplaced }))
    }
  }

  /**
   * If the other save changed no value that this one would change back, save again with the new version. So it is after a
   * save whose response was lost.
   */
  async function resolveStale(values: Values, from: Entity | undefined, now: Entity) {
    if (isReverted(valuesOf(from), valuesOf(now), values)) return setTheirs(now)
    setBase(now)
    await send(values, now)
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
        // Typed while the first save was in progress.
        if (form.validate().hasErrors) focusFirstError()
        else void submit(form.getValues(), theirs)
      },
      takeTheirs() {
        setTheirs(undefined)
        startFrom(theirs)
      },
    },
  }
}

/**
 * Whether a stored change would be lost by saving my values. Compared value by value: a password is never read back. The
 * server trims texts.
 */
export function isReverted(before: unknown, stored: unknown, mine: unknown): boolean {
  if (deepEqual(before, stored) || deepEqual(trimmed(mine), trimmed(stored))) return false
  if (![before, stored, mine].every(isObject)) return true
  const [was, now, own] = [before, stored, mine] as Record<string, unknown>[]
  return Object.keys({ ...was, ...now, ...own }).some((name) => isReverted(was?.[name], now?.[name], own?.[name]))
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const typedSince = <Values extends Record<string, unknown>>(sent: Values, now: Values) =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name])) as Partial<Values>

export interface Difference {
  label: string
  mine: ReactNode
  theirs: ReactNode
}

/** The form of `useVersionedForm`: shows why saving failed, and asks before changes are lost, the user's own or others'. */
export function VersionedFormFrame<Entity, Values extends Record<string, unknown>>(props: {
  work: VersionedForm<Entity, Values>
  /** The title of a failure. */
  notSaved: string
  /** All values with those of the version that somebody else saved; equal ones are left out. */
  differences: (theirs: Entity) => Difference[]
  label?: string
  className?: string | undefined
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  children: ReactNode
}) {
  const { work, notSaved, differences, label, className = 'stack', onFocus, children } = props
  const { dirty, failure, stale } = work
  return (
    <form onSubmit={work.onSubmit} noValidate className={className} aria-label={label} onFocus={onFocus}>
      <UnsavedChangesGuard when={dirty} />
      {failure && <SaveFailure key={failure.count} title={notSaved} {...failure} />}
      {children}
      {stale && (
        <StaleChoice differences={differences(stale.theirs).filter(({ mine, theirs }) => mine !== theirs)} {...stale} />
      )}
    </form>
  )
}

/** Shows the differences with the version that somebody else saved, and asks which one to keep. */
export function StaleChoice(props: StaleActions & { differences: Difference[] }) {
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
