// @ts-check
// Takes the pictures of the samples that the delivered home page shows. Start each sample first (samples/README.md):
//   node scripts/sample-pictures.mjs bakkerij=http://localhost:3001 notaris=http://localhost:3002
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { chromiumFlags, findChromium } from './setup/chromium.mjs'

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
for (const sample of process.argv.slice(2)) {
  const [name, origin] = sample.split('=')
  for (const suffix of ['', '-fa']) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await page.goto(`${origin}${suffix.replace('-', '/')}`, { waitUntil: 'networkidle' })
    const picture = sharp(await page.screenshot()).resize({ width: 1120 })
    await picture.avif({ quality: 50, effort: 9 }).toFile(`public/pictures/${name}${suffix}.avif`)
    await page.close()
  }
}
await browser.close()
