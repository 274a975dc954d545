import { expect, test } from 'vitest'
import { safeFileName } from './receive-upload.ts'

test.each([
  ['foto.png', 'foto.jpg'],
  ['../../etc/passwd', 'passwd.jpg'],
  ['C:\\Windows\\win.ini', 'win.jpg'],
  ['..', 'bestand.jpg'],
  ['.htaccess', 'htaccess.jpg'],
  ['a\u0000b\r\nSet-Cookie: x=1.jpg', 'a b Set-Cookie x=1.jpg'],
  ['factuur\u202egpj.exe', 'factuur gpj.jpg'],
  ['<script>alert(1)</script>.jpg', 'script.jpg'],
  ['عکس گروهی ما در کنار رود.JPG', 'عکس گروهی ما در کنار رود.jpg'],
  ['می\u200cخواهم.jpeg', 'می\u200cخواهم.jpeg'],
  [`${'ن'.repeat(300)}.jpg`, `${'ن'.repeat(116)}.jpg`],
  ['😀'.repeat(100), `${'😀'.repeat(58)}.jpg`],
])('the file name %j becomes %j', (given, name) => {
  expect(safeFileName(given, 'image/jpeg')).toBe(name)
})
