import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiRefusal } from '../client.ts'
import { showProblems } from './form.tsx'

test('an error in a program text is shown at its field, although the key of the text contains dots', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  onTestFinished(() => void vi.unstubAllGlobals())
  const errors = ['texts.nl.contact.send', 'texts.de.contact.send'].map((path) => ({ path, message: 'Niet goed.' }))
  const form = { getValues: () => ({ texts: { nl: { 'contact.send': '{{brand}}' } } }), setErrors: vi.fn() }
  const refusal = new ApiRefusal({ title: '', status: 422, detail: '', code: 'invalid', errors })
  expect(showProblems(refusal, form)).toEqual([errors[1]])
  expect(form.setErrors).toHaveBeenCalledWith({ 'texts.nl.contact.send': 'Niet goed.' })
})
