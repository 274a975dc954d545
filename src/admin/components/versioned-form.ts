import { type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useState } from 'react'
import { isRefused, Refused } from '../client.ts'
import { type FieldProblem, focusFirstError, showProblems } from './form-problems.ts'

interface Parts<Thing, Values> {
  /** As the server has it; undefined while it is new. */
  thing: Thing | undefined
  valuesOf: (thing: Thing | undefined) => Values
  /** What is asked before it is saved; no leaves everything as it is. */
  confirm?: (values: Values) => Promise<boolean>
  /** @throws {Refused} */
  save: (values: Values, version: number | undefined) => Promise<Thing>
  /** Goes on where the saved thing is; the form has nothing unsaved by then. */
  onSaved?: (saved: Thing) => unknown
  /** The field that a path of the API stands for. */
  fieldOf?: (path: string) => string
  validate?: FormValidateInput<Values>
}

interface Failure {
  error: unknown
  count: number
  /** What was refused and stands at none of its fields. */
  unplaced: FieldProblem[]
}

export interface VersionedForm<Thing, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  dirty: boolean
  saving: boolean
  /** Why the last save failed, and how often one has: to tell it anew each time. */
  failure: Failure | undefined
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Somebody saved meanwhile: what they saved, and the choices. */
  stale: { theirs: Thing; keepMine: () => void; takeTheirs: () => void; close: () => void } | undefined
}

/**
 * A form for a thing with a version. What others save is shown while nothing was typed; after that it is asked, and
 * nothing is overwritten unseen. What is typed while a save is on its way stays.
 */
export function useVersionedForm<Thing extends { version: number }, Values extends Record<string, unknown>>(
  parts: Parts<Thing, Values>,
): VersionedForm<Thing, Values> {
  const { thing, valuesOf, confirm, save, onSaved, fieldOf, validate } = parts
  /** As it was when the work on it began. */
  const [base, setBase] = useState(thing)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [theirs, setTheirs] = useState<Thing>()
  const form = useForm<Values>({ initialValues: valuesOf(thing), ...(validate && { validate }) })
  const dirty = form.isDirty()

  const startFrom = (now: Thing, kept: Partial<Values> = {}) => {
    setBase(now)
    setFailure(undefined)
    form.setInitialValues(valuesOf(now))
    form.setValues({ ...valuesOf(now), ...kept })
    form.clearErrors()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version matters
  useEffect(() => {
    if (thing && base && thing.version > base.version && !dirty && !saving) startFrom(thing)
  }, [thing?.version, dirty, saving])

  async function submit(values: Values, version = base?.version) {
    if (saving || (confirm && !(await confirm(values)))) return
    setSaving(true)
    setFailure(undefined)
    await send(values, version)
    setSaving(false)
  }

  async function send(values: Values, version: number | undefined): Promise<void> {
    try {
      const saved = await save(values, version)
      startFrom(saved, typedSince(values, form.getValues()))
      await onSaved?.(saved)
    } catch (error) {
      if (isRefused(error, 'stale') && error.problem.current) {
        return meet(values, error.problem.current as Thing)
      }
      const unplaced = error instanceof Refused ? showProblems(error, form, fieldOf) : []
      setFailure((before) => ({ error, count: (before?.count ?? 0) + 1, unplaced }))
    }
  }

  /** What was changed meanwhile may be nothing that stands in this form; then there is nothing to choose. */
  async function meet(values: Values, now: Thing) {
    const same = JSON.stringify(valuesOf(base)) === JSON.stringify(valuesOf(now))
    if (!same) return setTheirs(now)
    setBase(now)
    await send(values, now.version)
  }

  return {
    form,
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
        void submit(form.getValues(), theirs.version)
      },
      takeTheirs() {
        setTheirs(undefined)
        startFrom(theirs)
      },
    },
  }
}

const typedSince = <Values extends Record<string, unknown>>(sent: Values, now: Values) =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name])) as Partial<Values>
