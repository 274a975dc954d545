// @vitest-environment jsdom
import { act, createElement, type FunctionComponent } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { loadLanguage } from '../i18n.ts'
import { lazyPart } from './lazy-part.tsx'

test('of two parts that failed to load, one is tried again, and the other still shows its error', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await loadLanguage('nl')
  const importPart = vi
    .fn<() => Promise<FunctionComponent>>()
    .mockRejectedValueOnce(new Error('Failed to fetch dynamically imported module'))
    .mockResolvedValue(() => 'loaded')
  const Part = lazyPart(importPart)
  const reported: unknown[] = []
  const holder = document.body.appendChild(document.createElement('div'))
  const root = createRoot(holder, { onCaughtError: (error) => void reported.push(error) })
  const render = (text: string) =>
    act(async () => root.render([text, createElement(Part, { key: 1 }), createElement(Part, { key: 2 })]))
  await render('before')
  expect(holder.querySelectorAll('[role=alert]')).toHaveLength(2)

  await act(async () => holder.querySelector('button')?.click())
  await render('after')
  expect(holder.textContent).toMatch(/^afterloaded./)
  expect(holder.querySelectorAll('[role=alert]')).toHaveLength(1)
  await act(async () => holder.querySelector('button')?.click())
  expect(holder.textContent).toBe('afterloadedloaded')
  await act(async () => root.unmount())
  holder.remove()
  vi.unstubAllGlobals()
})
