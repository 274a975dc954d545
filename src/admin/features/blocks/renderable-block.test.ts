import { expect, test } from 'vitest'
import { renderableBlock } from './renderable-block.ts'

const locale = 'nl'
const hero = { title: 'Bel ons', subtitle: 'Nu', button: { title: 'Contact', url: '/contact' } }
const wrongUrl = { ...hero, button: { title: 'Contact', url: 'www.voorbeeld.nl' } }

test('a wrong value of a block is replaced by its last valid value, or else by its default, or else left out', () => {
  const withLast = renderableBlock('hero', wrongUrl, { locale, lastValid: hero })
  expect(withLast).toMatchObject({ block: hero, wrongPaths: ['button.url'] })
  const values = { ...wrongUrl, src: 'www.voorbeeld.nl/foto.jpg', style: { space: 'huge', align: 'center' } }
  const block = renderableBlock('hero', values, { locale })?.block
  expect(block).toMatchObject({
    title: 'Bel ons',
    button: { title: 'Contact', url: '/#contact' },
    style: { align: 'center' },
  })
  expect(block).not.toHaveProperty('src')
  expect(block).not.toHaveProperty('style.space')
})

test('a background image that is not chosen yet is no wrong value, and no background', () => {
  for (const picture of [undefined, '']) {
    const style = { background: 'picture', ...(picture === undefined ? {} : { picture }), space: 'large' }
    const result = renderableBlock(
      'hero',
      { ...hero, style },
      { locale, lastValid: { ...hero, style: { background: 'dark' } } },
    )
    expect(result).toMatchObject({ block: { style: { space: 'large' } }, wrongPaths: [] })
    expect(result?.block.style).not.toHaveProperty('background')
  }
})

test('list entries without the image that they need are left out at the end of the list, where no index changes; elsewhere there is no block', () => {
  const [filled, empty] = [{ src: '/foto.jpg', caption: 'Wij' }, { src: '' }]
  const items = (...entries: object[]) => renderableBlock('gallery', { items: entries }, { locale })?.block
  expect(items(filled, empty, empty)).toMatchObject({ items: [filled] })
  expect(items(filled, empty, empty)).toHaveProperty('items.length', 1)
  expect(items(empty, filled)).toBeUndefined()
})
