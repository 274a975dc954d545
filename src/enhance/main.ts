import { sendInPlace } from './contact-form.ts'
import { dropMenu } from './drop-menu.ts'
import { mobileMenu } from './mobile-menu.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('.sheet form')) sendInPlace(form)
for (const drop of document.querySelectorAll<HTMLElement>('.drop')) dropMenu(drop)
mobileMenu()
