import { expect, onTestFinished, test, vi } from 'vitest'
import type { StoredFile } from '../../../contract/files.ts'
import { sendFile, UploadQueue } from './upload-queue.ts'

/** A queue whose uploads end when the test says so. */
function aQueue(...names: string[]) {
  const ends = new Map<string, { store: () => void; fail: () => void }>()
  const handedOver: string[] = []
  const unseen: string[] = []
  const notStored = new Set<string>()
  const queue = new UploadQueue({
    send: ({ file }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        ends.set(file.name, {
          store: () => resolve({ name: file.name } as StoredFile),
          fail: () => reject(new Error('no connection')),
        })
      }),
    onStored() {},
    onStoredInOrder: ({ name }) => handedOver.push(name),
    onNotStored: ({ name }) => notStored.add(name),
    onUnseenFailure: ({ name }) => unseen.push(name),
  })
  queue.add(
    names.map((name) => new File([name], name)),
    undefined,
    () => undefined,
  )
  const end = async (name: string, how: 'store' | 'fail') => {
    ends.get(name)?.[how]()
    await new Promise(setImmediate)
  }
  return {
    queue,
    handedOver,
    unseen,
    notStored,
    end,
    /** The names of the files that were sent, in order. */
    sent: () => [...ends.keys()],
    pending: () =>
      queue
        .getUploads()
        .filter(queue.isPending)
        .map(({ file }) => file.name),
  }
}

test('a stored file that waits for an earlier one counts as pending until it is passed on', async () => {
  const { queue, handedOver, end, pending } = aQueue('large', 'small')
  await end('small', 'store')
  expect(handedOver).toEqual([])
  expect(pending()).toEqual(['large', 'small'])
  queue.clear()
  await end('large', 'store')
  expect(handedOver).toEqual(['large', 'small'])
  expect(pending()).toEqual([])
})

test('each file that failed or was cancelled is released, also one that was never sent', async () => {
  const { queue, notStored, end } = aQueue('failed', 'stored', 'cancelled', 'waiting')
  await end('failed', 'fail')
  await end('stored', 'store')
  const cancelled = queue.getUploads().find(({ file }) => file.name === 'cancelled')
  queue.cancel(cancelled?.id ?? 0)
  queue.cancelAll()
  queue.add([new File(['x'], 'too large')], undefined, () => new Error('too large'))
  expect([...notStored]).toEqual(['failed', 'cancelled', 'waiting', 'too large'])
})

test('a failed upload is reported outside the queue while nothing shows the queue', async () => {
  const { queue, unseen, end } = aQueue('shown', 'hidden', 'cancelled')
  const hide = queue.subscribe(() => {})
  await end('shown', 'fail')
  hide()
  queue.cancel(3)
  await end('cancelled', 'fail')
  await end('hidden', 'fail')
  expect(unseen).toEqual(['hidden'])
})

test('a file that failed or was cancelled is not pending, and does not hold up those after it', async () => {
  const { queue, handedOver, end, pending } = aQueue('first', 'second', 'third')
  await end('second', 'fail')
  await end('third', 'store')
  expect(pending()).toEqual(['first', 'third'])
  queue.cancel(1)
  expect(pending()).toEqual([])
  expect(handedOver).toEqual(['third'])
})

test('cancelling all uploads starts none of those that wait', async () => {
  const { queue, sent, pending } = aQueue('1', '2', '3', '4', '5')
  queue.cancelAll()
  await new Promise(setImmediate)
  expect(sent()).toEqual(['1', '2', '3'])
  expect(pending()).toEqual([])
  expect(queue.getUploads().every(({ state }) => state === 'cancelled')).toBe(true)
})

test('a file that is uploaded again after a failure is passed on once', async () => {
  const { queue, handedOver, end } = aQueue('first', 'second')
  await end('second', 'fail')
  queue.retry(2)
  await end('second', 'store')
  await end('first', 'store')
  expect(handedOver).toEqual(['first', 'second'])
})

test('an upload whose response is not JSON has failed', async () => {
  class HtmlResponse {
    upload = {}
    onload = () => {}
    status = 200
    responseText = '<html>'
    open() {}
    setRequestHeader() {}
    send = () => queueMicrotask(() => this.onload())
  }
  const sent = sendBy(HtmlResponse, new EventTarget())
  await expect(sent).rejects.toThrow(SyntaxError)
})

test('leaving the admin asks for confirmation while a file is being sent, on every screen', async () => {
  let respond = () => {}
  class LateResponse {
    upload = {}
    onload = () => {}
    status = 201
    responseText = '{}'
    open() {}
    setRequestHeader() {}
    send = () => {
      respond = () => this.onload()
    }
  }
  const page = new EventTarget()
  const isAsked = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const sent = sendBy(LateResponse, page)
  expect(isAsked()).toBe(true)
  respond()
  await sent
  expect(isAsked()).toBe(false)
})

function sendBy(request: object, page: EventTarget) {
  vi.stubGlobal('XMLHttpRequest', request)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { signal } = new AbortController()
  const file = new File(['gate'], 'gate.jpg')
  return sendFile({ method: 'POST', path: '/files', file, signal, onProgress() {} })
}
