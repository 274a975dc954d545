import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteForm } from '../test/support/forms.ts'
import { siteFileWithoutCollections } from '../test/support/site-file.ts'
import { onBothDatabases, type Where, withSite } from './databases.ts'
import { median } from './load.ts'
import { addMessages } from './messages.ts'
import { aFolder, type Running } from './program.ts'
import type { Figure } from './report.ts'
import { p99 } from './signed-in.ts'

const sizes = [10, 10_000] as const
const form = {
  ...quoteForm,
  fields: [
    { id: 'naam', kind: 'text', label: { nl: 'Naam' }, required: true },
    { id: 'email', kind: 'email', label: { nl: 'E-mailadres' }, required: true },
    { id: 'bijlagen', kind: 'files', label: { nl: 'Bijlagen' } },
  ],
}
/** The program takes 100 MB in ten minutes from one address. */
const [rounds, files, bytes] = [150, 3, 200_000]

/** A form with files, until its answers and files are on disk, beside few and many messages. */
export const measureForms = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  const times: number[][] = []
  for (const count of sizes) {
    process.stderr.write(`A form with files beside ${count} messages on ${name}\n`)
    times.push(await timesBeside(count, server))
  }
  const [few, many] = times as [number[], number[]]
  return [
    {
      what: `a form with ${files} files of ${bytes / 1_000} kB, stored and answered, ${name}: beside 10 and 10,000 messages`,
      ours: `${median(few).toFixed(1)} and ${median(many).toFixed(1)} ms`,
      bare: '',
      goal: '10,000 at most twice 10',
      met: median(many) <= 2 * median(few),
      note: `p99 ${p99(few).toFixed(0)} and ${p99(many).toFixed(0)} ms`,
    },
  ]
}

async function timesBeside(count: number, server?: string): Promise<number[]> {
  const siteConfig = join(aFolder(), 'site.config.json')
  writeFileSync(siteConfig, JSON.stringify({ ...siteFileWithoutCollections(), forms: [form] }))
  const fill = (where: Where) => addMessages(where, count)
  const settings = { SITE_CONFIG: siteConfig }
  return withSite({ server, database: `forms_${count}`, fill, settings }, async (etalage) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeOfPost(etalage, round))
    return times
  })
}

async function timeOfPost({ url }: Running, round: number): Promise<number> {
  const body = new FormData()
  body.set('naam', `Sanne ${round}`)
  body.set('email', 'sanne@voorbeeld.example')
  for (let file = 0; file < files; file++) {
    // Each is another file, because equal ones are stored once.
    const content = Buffer.alloc(bytes, `${file} ${round} ${Math.random()}\n`)
    content.write('%PDF-1.4\n')
    body.append('bijlagen', new Blob([content], { type: 'application/pdf' }), `tekening-${file}.pdf`)
  }
  const begun = performance.now()
  const answer = await fetch(`${url}/api/forms/${form.id}`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body,
  })
  if (answer.status !== 201) throw new Error(`a form with files: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
  return performance.now() - begun
}
