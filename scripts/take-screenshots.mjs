// @ts-check
// Takes the screenshots on the default home page: of the samples and of the editor. Start each sample first
// (samples/README.md), or the default site with an administrator:
//   node scripts/take-screenshots.mjs bakkerij=http://localhost:3001 notaris=http://localhost:3002
//   node scripts/take-screenshots.mjs editor=http://name:password@localhost:3000
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { chromiumFlags, findChromium } from './setup/chromium.mjs'

/** The position of the screen in the SVG of the laptop, in pixels. */
const screen = { left: 80, top: 110, width: 1040, height: 650 }

const laptop = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="960">
  <defs>
    <linearGradient id="sky" x2="1" y2="1"><stop stop-color="#d3f0e3"/><stop offset="1" stop-color="#17b884"/></linearGradient>
    <linearGradient id="base" y2="1" x2="0"><stop stop-color="#e9e9e9"/><stop offset="1" stop-color="#b3b6b5"/></linearGradient>
  </defs>
  <path fill="url(#sky)" d="M0 0h1200v960H0z"/>
  <path fill="#43b48f" d="M0 695q300-90 600-30t600-65v360H0z"/>
  <path fill="#0f7a5a" d="M0 800q300-80 620-20t580-105v285H0z"/>
  <ellipse cx="600" cy="846" rx="560" ry="26" fill="#045240"/>
  <rect x="58" y="88" width="1084" height="700" rx="26" fill="#16211d"/>
  <circle cx="600" cy="99" r="4" fill="#39453f"/>
  <path fill="url(#base)" d="M10 786h1180v20q0 24-24 24H34q-24 0-24-24z"/>
  <path fill="#8d9b95" d="M510 786h180v2q0 16-16 16H526q-16 0-16-16z"/>
</svg>`

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
for (const argument of process.argv.slice(2)) {
  const [name = '', url = ''] = argument.split('=')
  if (name === 'editor') await captureEditor(new URL(url))
  else await captureSample(name, url)
}
await browser.close()

/** @param {string} name @param {string} origin */
async function captureSample(name, origin) {
  for (const suffix of ['', '-fa']) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await page.goto(`${origin}${suffix.replace('-', '/')}`, { waitUntil: 'networkidle' })
    await save(sharp(await page.screenshot()).resize({ width: 1120 }), name + suffix)
    await page.close()
  }
}

/** The home page in the editor, on the screen of a laptop. @param {URL} url with the name and password of an administrator */
async function captureEditor({ origin, username, password }) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1300, height: 812 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { Origin: origin },
  })
  await context.request.post('/api/login', {
    data: { identifier: decodeURIComponent(username), password: decodeURIComponent(password) },
  })
  const { data } = await (await context.request.get('/api/pages?pageSize=100')).json()
  const home = data.find((/** @type {{ nl: { slug: string } | null }} */ { nl }) => nl?.slug === '')
  for (const locale of ['nl', 'fa']) {
    const { name, email } = await (await context.request.get('/api/profile')).json()
    await context.request.put('/api/profile', { data: { name, email, locale } })
    const page = await context.newPage()
    await page.goto(`/admin/pages/${home.id}/${locale}`, { waitUntil: 'networkidle' })
    await page.locator('[data-panel="outline"] [data-name-of]').first().click()
    await page.locator('[data-panel="fields"] input').first().waitFor()
    await page.mouse.move(0, 0)
    await page.waitForLoadState('networkidle')
    const shot = sharp(await page.screenshot()).resize({ width: screen.width, height: screen.height, fit: 'fill' })
    const composed = sharp(Buffer.from(laptop)).composite([
      { input: await shot.png().toBuffer(), left: screen.left, top: screen.top },
    ])
    await save(composed, locale === 'nl' ? 'editor' : `editor-${locale}`)
    await page.close()
  }
  await context.close()
}

/** @param {import('sharp').Sharp} image @param {string} name */
async function save(image, name) {
  await image.avif({ quality: 50, effort: 9 }).toFile(`public/pictures/${name}.avif`)
}
