/** Spam and honest messages to test the rules with. They were written for this project, after the kinds that contact forms get. */
export const spamCorpus: { language: 'nl' | 'fa' | 'en'; isSpam: boolean; name: string; text: string }[] = []

const add = (language: 'nl' | 'fa' | 'en', isSpam: boolean, list: [name: string, text: string][]) =>
  spamCorpus.push(...list.map(([name, text]) => ({ language, isSpam, name, text })))

add('nl', true, [
  ['Kevin', 'Online gokken met 200 gratis spins? Speel nu in ons casino: https://spin.example https://bonus.example'],
  ['Marketing Pro', 'Sta bovenaan in Google! Wij zorgen voor backlinks met hoge domain authority. Gratis analyse.'],
  ['Snel Geld', 'Lening zonder BKR, binnen 10 minuten op uw rekening. Vraag aan op www.lenen.example.'],
  ['Jeroen SEO', 'Uw site staat niet op de eerste pagina van Google. Met onze SEO krijgt u meer bezoekers. Interesse?'],
  ['Apotheek', 'Viagra en Cialis zonder recept, discreet verzonden.'],
  ['Linda', 'Wilt u een gastblog met dofollow link plaatsen op uw website? Wij betalen per link.'],
  ['www.goedkoop.example', 'Hallo, bekijk onze aanbieding.'],
  [
    'Crypto Club',
    'Verdien 3.000 euro per week met bitcoin. Crypto voor beginners: https://a.example https://b.example https://c.example',
  ],
  ['Tom', 'Ik bied u e-mailadressen kopen per land, vijf miljoen bedrijven. Antwoord voor de prijs.'],
  ['Sanne', 'Wij kunnen uw website vernieuwen voor weinig geld. Bel ons morgen terug.'],
])
add('nl', false, [
  ['Roya Karimi', 'Ik heb een bakkerij in Wyck en zoek een website met een webwinkel. Wat kost dat ongeveer?'],
  [
    'Daan Peeters',
    'Onze huidige site is https://bakkerijpeeters.example. Kunnen jullie die vernieuwen en de SEO verbeteren?',
  ],
  ['Mevrouw Janssen', 'Mijn e-mail komt niet meer aan sinds gisteren. Kunt u mij bellen?'],
  ['Stichting De Brug', 'Wij zijn een stichting met weinig geld. Is er een korting voor goede doelen?'],
  ['Ahmed', 'Twee vragen: kan de site in drie talen, en kunnen wij zelf foto’s plaatsen?'],
  [
    'Claire',
    'Voorbeelden die ik mooi vind: https://een.example, https://twee.example en https://drie.example. Zoiets wil ik ook.',
  ],
  ['P. de Wit', 'Ik wil graag een afspraak volgende week over hosting voor ons kantoor.'],
  ['Sofie', 'Hoi! Hoe lang duurt het voordat een website klaar is? Groetjes'],
  ['Notaris Bakker', 'Graag een offerte voor een webapplicatie waarmee klanten dossiers kunnen aanleveren.'],
  ['Jan', 'We willen meer bezoekers uit de buurt. Doen jullie ook SEO?'],
  [
    'Bakkerij Smeets',
    'Mail ons op info@bakkerijsmeets.com, jan@bakkerijsmeets.com, els.smeets@shop.smeets.com of rik@smeets.online.',
  ],
])
add('en', true, [
  [
    'Mike',
    'I was on your website and noticed errors. We can rank your website on the first page of Google. SEO from $99.',
  ],
  ['Anna', 'Guest post request: we pay for dofollow backlinks on your blog. Kindly reply with your rates.'],
  [
    'Robert',
    'Investment opportunity! Bitcoin and forex signals with 300% profit: https://x.example http://y.example http://z.example',
  ],
  ['Pharma', 'Cheap viagra, cialis, no prescription [url=http://pills.example]here[/url]'],
  [
    'Web Dev Team',
    'We are an offshore company. Outsource your development at low cost. Free audit of your website traffic.',
  ],
  ['LinkBot', '<a href="http://casino.example">best casino</a>'],
  ['Eric', 'I came across your website. Increase traffic with our special offer. To opt out click unsubscribe.'],
  ['Игорь', 'Предлагаем продвижение сайтов в поисковых системах. Пишите нам.'],
  ['Data Sales', 'Email list for sale: 10 million business addresses. Bulk email software included.'],
  ['Susan', 'Do you want more customers? Reply yes and I will send you a price.'],
])
add('en', false, [
  [
    'Emma Carter',
    'We are moving our shop to Maastricht and need a website in English and Dutch. Could you send a quote?',
  ],
  ['Oliver', 'Is hosting included in the monthly price? Our domain is oliver-books.com.'],
  [
    'James Lee',
    'Our page loads slowly and we dropped in the search rankings. Can you have a look at https://lee.example?',
  ],
  ['Priya', 'I would like to book a call about a web application for our clinic.'],
  ['Museum office', 'Please send the invoice of October again, we did not receive it.'],
  ['Tom Baker', 'I visited your website and like the style. Do you have room for a project in March?'],
  ['Nina', 'Can you connect a booking system such as https://booking.example to an existing site?'],
  ['Paul', 'We run a crypto tax advice office and need a serious, calm website. What would it cost?'],
  ['Sara', 'Hi, what do you need from me before we start?'],
  ['HR department', 'Do you offer internships for web developers?'],
])
add('fa', true, [
  ['پشتیبانی', 'خرید فالوور و بک‌لینک ارزان با تحویل فوری'],
  ['بازی', 'کازینو آنلاین و شرط‌بندی فوتبال با جایزهٔ ورود https://a.example'],
  ['سئوکار', 'سئو سایت شما و رسیدن به صفحهٔ اول گوگل با کمترین هزینه. تبلیغات انبوه هم داریم.'],
  ['زیبایی', 'قرص لاغری گیاهی بدون بازگشت، ارسال رایگان'],
  ['سود', 'سرمایه‌گذاری تضمینی در ارز دیجیتال و بیت‌کوین با سود روزانه'],
  ['فروش', 'فیلترشکن پرسرعت یک ماهه، خرید از www.vpn.example'],
  ['www.ads.example', 'برای دیدن پیشنهاد ما روی نام کلیک کنید'],
  ['تبلیغ', 'ارسال انبوه ایمیل و پیامک http://a.example http://b.example http://c.example http://d.example'],
  ['李明', '我们提供网站推广服务，价格优惠，欢迎联系我们。'],
  ['همکار', 'ما می‌توانیم سایت شما را ارزان بسازیم. تماس بگیرید.'],
])
add('fa', false, [
  ['سارا احمدی', 'برای رستورانمان وب‌سایتی به فارسی و هلندی می‌خواهیم. هزینهٔ آن چقدر است؟'],
  ['رضا', 'نشانی سایت ما https://reza.example است. آیا می‌توانید ظاهر آن را تازه کنید؟'],
  ['مینا', 'ساخت سایت چند هفته طول می‌کشد؟'],
  ['دفتر وکالت', 'سلام، برای یک برنامهٔ تحت وب پیش‌فاکتور می‌خواهیم.'],
  ['کاوه', 'آیا سئو هم در بستهٔ شما هست؟'],
  ['نرگس', 'ایمیل شرکت از دیروز کار نمی‌کند، لطفاً تماس بگیرید.'],
  ['آرش', 'می‌خواهم خودم بتوانم عکس و متن را عوض کنم. ممکن است؟'],
  ['لیلا', 'نمونه‌کارهایی شبیه https://a.example و https://b.example را دوست دارم.'],
  ['بابک', 'آیا برای فروشگاه کوچک هم میزبانی دارید؟'],
  ['زهرا', 'برای یک قرار حضوری هفتهٔ آینده وقت دارید؟'],
])
