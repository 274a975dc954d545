import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { StoredFile } from '../src/contract/files.ts'
import { residentMemory } from '../test/support/resident-memory.ts'
import { median } from './load.ts'
import { aFolder, type Running, startBareUpload, startEtalage } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, p99 } from './signed-in.ts'

const largestBytes = 20_000_000
const log = (text: string) => process.stderr.write(`${text}\n`)
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** Uploads: speed, memory, and the effect of resizing on visitors. */
export async function measureFiles(): Promise<Figure[]> {
  return [await uploadFigure(), ...(await resizingFigures()), await memoryFigure()]
}

async function uploadFigure(): Promise<Figure> {
  log('Uploads of 20 MB, one after the other')
  const etalage = await startEtalage(aFolder(), admin)
  const bare = await startBareUpload(aFolder())
  try {
    const cookie = await firstSignIn(etalage)
    const rates: number[] = []
    const bares: number[] = []
    for (let round = 0; round < 9; round++) {
      const body = aPaper(round)
      rates.push(await timed(() => upload(etalage, cookie, `${round}.pdf`, body)))
      bares.push(await timed(() => upload(bare, cookie, `${round}.pdf`, body)))
    }
    const [ours, its] = [median(rates), median(bares)]
    return {
      what: 'upload of 20 MB, until it is stored and probed, and the response has arrived',
      ours: rate(ours),
      bare: rate(its),
      goal: '',
      note: `${ours.toFixed(0)} ms beside ${its.toFixed(0)} ms of bytes into a file alone`,
    }
  } finally {
    await bare.stop()
    await etalage.stop()
  }
}

const rate = (ms: number) => `${(largestBytes / 1e6 / (ms / 1_000)).toFixed(0)} MB/s`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const photos = 3

async function resizingFigures(): Promise<Figure[]> {
  log('24 megapixels into all widths, and / meanwhile')
  const etalage = await startEtalage(aFolder(), admin)
  try {
    const cookie = await firstSignIn(etalage)
    await visits(etalage, () => pause(1_000))
    const quiet: number[] = []
    const busy: number[] = []
    const resizedMs: number[] = []
    for (let number = 0; number < photos; number++) {
      quiet.push(...(await visits(etalage, () => pause(5_000))))
      const photo = await aPhoto(number)
      const { id } = await upload(etalage, cookie, `foto${number}.jpg`, photo)
      const begun = performance.now()
      busy.push(...(await visits(etalage, () => untilResized(etalage, cookie, id))))
      resizedMs.push(performance.now() - begun)
    }
    const [still, meanwhile] = [p99(quiet), p99(busy)]
    return [
      {
        what: 'a photo of 24 megapixels into all widths and types',
        ours: `${(median(resizedMs) / 1_000).toFixed(1)} s`,
        bare: '',
        goal: '',
      },
      {
        what: '`/`, p99 while a photo of 24 megapixels is resized',
        ours: `${meanwhile.toFixed(2)} ms`,
        bare: '',
        goal: 'at most twice when it is quiet',
        met: meanwhile <= 2 * still,
        note: `${still.toFixed(2)} ms when it is quiet: ${(meanwhile / still).toFixed(2)} times; the middle one ${median(busy).toFixed(2)} beside ${median(quiet).toFixed(2)} ms`,
      },
    ]
  } finally {
    await etalage.stop()
  }
}

/** Milliseconds of each request for `/` during an action: four visitors with short pauses. */
async function visits(running: Running, whatGoesOn: () => Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const times: number[] = []
  let over = false
  const visitor = async () => {
    while (!over) {
      times.push(await timed(() => visit(running, agent)))
      await pause(5)
    }
  }
  const visitors = Array.from({ length: 4 }, visitor)
  await whatGoesOn()
  over = true
  await Promise.all(visitors)
  agent.destroy()
  return times
}

function visit(running: Running, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${running.url}/`, { agent, headers: { 'accept-encoding': 'br' } }, (answer) => {
      answer.resume()
      answer.once('end', resolve)
    })
      .once('error', reject)
      .end()
  })
}

async function untilResized(running: Running, cookie: string, id: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${running.url}/api/files/${id}`, { headers: { cookie } })
    const { state } = (await answer.json()) as StoredFile
    if (state === 'ready') return
    if (state === 'failed') throw new Error('the photo was not resized')
    await pause(100)
  }
}

async function memoryFigure(): Promise<Figure> {
  log('Ten uploads of 20 MB at once, for the memory')
  const etalage = await startEtalage(aFolder(), admin)
  try {
    const cookie = await firstSignIn(etalage)
    const photo = Buffer.concat([await aPhoto(9), Buffer.alloc(largestBytes)]).subarray(0, largestBytes)
    const most = { server: 0, all: 0 }
    let busy = true
    const watching = (async () => {
      while (busy) {
        const { server, all } = residentMemory(etalage.pid)
        most.server = Math.max(most.server, server)
        most.all = Math.max(most.all, all)
        await pause(20)
      }
    })()
    await Promise.all(
      Array.from({ length: 10 }, (_, number) => {
        if (number % 2) return upload(etalage, cookie, `${number}.pdf`, aPaper(number))
        const own = new Uint8Array(photo)
        own[own.length - 1] = number
        return upload(etalage, cookie, `${number}.jpg`, own)
      }),
    )
    busy = false
    await watching
    return {
      what: 'ten uploads of 20 MB at once: most memory, with the programs that probe and resize',
      ours: megabytes(most.all),
      bare: '',
      goal: '≤ 400 MB',
      met: most.all <= 400e6,
      note: `of the server alone ${megabytes(most.server)}`,
    }
  } finally {
    await etalage.stop()
  }
}

async function upload(
  running: Running,
  cookie: string,
  name: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ id: number }> {
  const answer = await fetch(`${running.url}/api/files?name=${name}`, { method: 'POST', headers: { cookie }, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : { id: 0 }
}

const aPaper = (number: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`%PDF-1.4\n% ${number} ${'x'.repeat(largestBytes - 100)}\n%%EOF\n`))

async function aPhoto(number: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 120 + number, sigma: 30 }
  const noisy = sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: '#336655', noise } })
  return new Uint8Array(await noisy.jpeg({ quality: 85 }).toBuffer())
}
