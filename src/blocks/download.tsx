import { z } from 'zod'
import { fileNameFromUrl, publicFileIdsIn } from '../contract/file-urls.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import type { Locale } from '../contract/locales.ts'
import { downloadUrl } from '../contract/url.ts'
import { defineBlock, longText, type RenderContext, shortText } from './define-block.ts'
import { renderIcon } from './icons.tsx'
import { renderText } from './render-text.tsx'

const item = z.strictObject({ file: downloadUrl, title: shortText, text: longText.default('') })

export const download = defineBlock({
  type: 'download',
  group: 'lists',
  stylesheets: ['download'],
  fields: { items: z.array(item).max(24) },
  labels: {
    name: { nl: 'Downloads', fa: 'دریافت فایل', en: 'Downloads' },
    hint: {
      nl: 'Bestanden om te bewaren, met soort en grootte.',
      fa: 'فایل‌هایی برای دریافت، با نوع و اندازه.',
      en: 'Files to keep, with their kind and size.',
    },
    fields: { items: { nl: 'Bestanden', fa: 'فایل‌ها', en: 'Files' } },
    nestedFields: {
      'items.file': { nl: 'Bestand', fa: 'فایل', en: 'File' },
      'items.title': { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      'items.text': { nl: 'Omschrijving', fa: 'توضیح', en: 'Description' },
    },
  },
  defaults: { nl: { items: [] }, fa: { items: [] }, en: { items: [] } },
  View(block, context) {
    return (
      <ul className="downloads">
        {block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may be in it twice
          <li key={index}>
            {renderIcon('download')}
            <span>
              <a href={item.file} download>
                {renderText(item.title, context)}
              </a>
              <span className="note">{fileTypeAndSize(item.file, context)}</span>
            </span>
            {item.text && <p>{renderText(item.text, context)}</p>}
          </li>
        ))}
      </ul>
    )
  },
})

/** The type and size of a file: `PDF · 1,2 MB`. Only the type for a file that is not an upload. */
export function fileTypeAndSize(url: string, { files, contentLocale }: RenderContext): string {
  const type = fileNameFromUrl(url).split('.').at(-1)?.toUpperCase() ?? ''
  const bytes = files.get(publicFileIdsIn(url)[0] ?? '')?.bytes
  return bytes === undefined ? type : `${type} · ${formatBytes(bytes, contentLocale)}`
}

function formatBytes(bytes: number, locale: Locale): string {
  const isLarge = bytes >= 1_000_000
  return numberFormat(locale, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(Math.max(1, bytes / (isLarge ? 1_000_000 : 1_000)))
}
