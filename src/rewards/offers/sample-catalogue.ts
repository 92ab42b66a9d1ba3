import { addDays } from '../../base/clock.ts'
import type { CatalogueMerchant, CatalogueOffer } from './catalogue.ts'
import type { OperationHours } from './offer.ts'
import { milesBetween, type Place, placeFrom } from './place.ts'

export interface ZipCode extends Place {
  zip: string
  city: string
  state: string
}

/** The largest distance of a shop from its ZIP centre, and of a ZIP centre from the next one with a shop. */
const FURTHEST_SHOP_MILES = 1.4
const SPACING_MILES = 8.5
/** A city with this many ZIP codes counts as large and has a shop at each of their centres. */
const LARGE_CITY_ZIPS = 20
const NATIONAL_OFFERS = 80

/** The earliest bank time that an organisation can have, so that offers are live in tests with a clock in the past. */
const LIVE_FROM = '2000-01-01T00:00:00.000Z'
const LIVE_FOR_DAYS = 2 * 366
const EXPIRES_WITHIN_DAYS = 180

/**
 * Invented offers around every ZIP code: one within ten miles of each, many in large cities, and national ones. The same
 * ZIP codes and time give the same catalogue.
 */
export function sampleCatalogue(zipCodes: ZipCode[], now: string): CatalogueOffer[] {
  const random = randomNumbers(20_260_131)
  const dates = sampleDates(now)
  const local = shopPlaces(zipCodes).map((zipCode, index): CatalogueOffer => {
    const trade = pick(random, localTrades)
    const away = placeFrom(zipCode, FURTHEST_SHOP_MILES * Math.sqrt(random()), 360 * random())
    return {
      key: `sample-local-${index + 1}`,
      offerType: 'INSTORE',
      ...offerOf(random, merchantOf(pick(random, localNames), trade), trade, dates),
      operationHours: sampleHours[trade.hours],
      address: {
        street: `${1 + Math.floor(random() * 999)} ${pick(random, streets)}`,
        city: zipCode.city,
        state: zipCode.state,
        zip: zipCode.zip,
      },
      geoLocation: { lat: rounded(away.lat), long: rounded(away.long) },
      phone: `+1${areaCodes.get(zipCode.state) ?? '202'}55501${String(Math.floor(random() * 100)).padStart(2, '0')}`,
    }
  })
  const national = Array.from({ length: NATIONAL_OFFERS }, (_, index): CatalogueOffer => {
    const trade = nationalTrades[index % nationalTrades.length] as Trade
    const name = nationalNames[Math.floor(index / nationalTrades.length)] as string
    return {
      key: `sample-national-${index + 1}`,
      offerType: 'ONLINE',
      ...offerOf(random, merchantOf(name, trade), trade, dates),
    }
  })
  return [...local, ...national]
}

/** All places in large cities, and enough others that every place is within the spacing of one of them. */
function shopPlaces(zipCodes: ZipCode[]): ZipCode[] {
  const cities = new Map<string, ZipCode[]>()
  for (const zipCode of zipCodes) {
    const name = `${zipCode.city}, ${zipCode.state}`
    const city = cities.get(name)
    if (city) city.push(zipCode)
    else cities.set(name, [zipCode])
  }
  const large = [...cities.values()].filter((city) => city.length >= LARGE_CITY_ZIPS).flat()
  // ZIP codes of post office boxes share the coordinates of the post office.
  const chosen = [...new Map(large.map((zipCode) => [`${zipCode.lat} ${zipCode.long}`, zipCode])).values()]
  const near = nearFinder(chosen)
  for (const zipCode of zipCodes) {
    if (near.has(zipCode)) continue
    chosen.push(zipCode)
    near.add(zipCode)
  }
  return chosen
}

/** Whether one of the places is within the spacing; only neighbouring squares of a grid are searched. */
function nearFinder(places: Place[]) {
  const squares = new Map<number, Place[]>()
  const rowOf = (lat: number) => Math.floor((lat + 90) * SQUARES_A_DEGREE)
  const columnOf = (long: number) => Math.floor((long + 180) * SQUARES_A_DEGREE)
  const add = (place: Place) => {
    const square = rowOf(place.lat) * SQUARES_A_ROW + columnOf(place.long)
    const others = squares.get(square)
    if (others) others.push(place)
    else squares.set(square, [place])
  }
  for (const place of places) add(place)
  return {
    add,
    has(place: Place): boolean {
      const height = SPACING_MILES / MILES_A_DEGREE
      const width = Math.min(360, height / Math.cos((Math.min(89.99, Math.abs(place.lat) + height) * Math.PI) / 180))
      for (let row = rowOf(place.lat - height); row <= rowOf(place.lat + height); row++) {
        for (let column = columnOf(place.long - width); column <= columnOf(place.long + width); column++) {
          const others = squares.get(row * SQUARES_A_ROW + column)
          if (others?.some((other) => milesBetween(place, other) <= SPACING_MILES)) return true
        }
      }
      return false
    },
  }
}
const SQUARES_A_DEGREE = 8
const SQUARES_A_ROW = 360 * SQUARES_A_DEGREE
/** Miles in a degree of latitude on this sphere, rounded down. */
const MILES_A_DEGREE = 69

interface Trade {
  noun: string
  category: string
  description: string
  hours: keyof typeof sampleHours
}

interface Dates {
  validFrom: string
  expirations: string[]
}

/** The dates of the offers of a catalogue that is made at a time. */
export function sampleDates(now: string): Dates {
  const today = `${now.slice(0, 10)}T00:00:00.000Z`
  return {
    validFrom: LIVE_FROM,
    expirations: Array.from({ length: EXPIRES_WITHIN_DAYS }, (_, days) => addDays(today, LIVE_FOR_DAYS + days)),
  }
}

function merchantOf(name: string, { noun, description }: Trade): CatalogueMerchant {
  const key = `${name}-${noun}`.toLowerCase().replaceAll(' ', '-')
  return {
    key: `sample-${key}`,
    name: `${name} ${noun}`,
    description,
    websiteURL: `https://${key}.example.com`,
    imgUrl: `https://images.example.com/merchants/${key}.png`,
  }
}

function offerOf(random: () => number, merchant: CatalogueMerchant, { category }: Trade, dates: Dates) {
  const commissionBp = 100 + 25 * Math.floor(random() * 37)
  const issuerBp = 50 + 25 * Math.floor(random() * 11)
  const minimumSpend = random() < 0.3 ? 5_00 * (1 + Math.floor(random() * 10)) : 0
  const maximumReward = random() < 0.3 ? 5_00 * (1 + Math.floor(random() * 10)) : undefined
  const redeemableOnce = random() < 0.15
  const terms = [
    minimumSpend > 0 && `Spend at least $${minimumSpend / 100}.`,
    maximumReward !== undefined && `At most $${maximumReward / 100} cash back a purchase.`,
    redeemableOnce && 'Once a customer.',
  ]
  return {
    merchant,
    title: `${commissionBp / 100}% cash back at ${merchant.name}`,
    terms: terms.filter((term) => term !== false).join(' '),
    category,
    redeemableOnce,
    commission: commissionBp / 100,
    totalCommission: (commissionBp + issuerBp) / 100,
    validFrom: dates.validFrom,
    expirationDate: pick(random, dates.expirations),
    minimumSpend,
    ...(maximumReward !== undefined && { maximumReward }),
  }
}

/** Pseudo-random numbers from 0 to 1 (mulberry32), the same on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T
}

/** Degrees rounded to four decimals, about 30 feet. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4
}

function week(weekday: string, saturday: string, sunday: string): OperationHours {
  return {
    monday: weekday,
    tuesday: weekday,
    wednesday: weekday,
    thursday: weekday,
    friday: weekday,
    saturday,
    sunday,
  }
}
export const sampleHours = {
  early: week('06:00-18:00', '07:00-18:00', '07:00-14:00'),
  shop: week('09:00-19:00', '09:00-18:00', '11:00-17:00'),
  late: week('11:00-22:00', '11:00-23:00', '12:00-21:00'),
}

function trade(noun: string, category: string, description: string, opens: Trade['hours'] = 'shop'): Trade {
  return { noun, category, description, hours: opens }
}
const localTrades = [
  trade('Coffee', 'Restaurants', 'Coffee, tea and pastries', 'early'),
  trade('Bakery', 'Restaurants', 'Bread and cakes, baked every morning', 'early'),
  trade('Diner', 'Restaurants', 'Breakfast all day', 'early'),
  trade('Kitchen', 'Restaurants', 'Lunch and dinner of the season', 'late'),
  trade('Pizza', 'Restaurants', 'Pizza from the stone oven', 'late'),
  trade('Market', 'Groceries', 'Groceries and fresh produce', 'early'),
  trade('Pharmacy', 'Health', 'Prescriptions and everyday care'),
  trade('Hardware', 'Home', 'Tools, paint and garden supplies'),
  trade('Garden Center', 'Home', 'Plants, seeds and soil'),
  trade('Fuel', 'Auto', 'Fuel and a car wash', 'early'),
  trade('Auto Care', 'Auto', 'Oil, tires and inspections'),
  trade('Books', 'Shopping', 'New and used books'),
  trade('Outfitters', 'Shopping', 'Clothes for indoors and out'),
  trade('Pets', 'Shopping', 'Food and toys for animals'),
  trade('Fitness', 'Health', 'Gym and classes', 'late'),
  trade('Cinema', 'Entertainment', 'Films on three screens', 'late'),
]
const nationalTrades = [
  trade('Online', 'Shopping', 'Everything for the home, delivered'),
  trade('Apparel', 'Shopping', 'Clothes and shoes'),
  trade('Electronics', 'Electronics', 'Computers, phones and parts'),
  trade('Travel', 'Travel', 'Flights, trains and hotels'),
  trade('Meals', 'Groceries', 'Boxes of food to cook'),
  trade('Streaming', 'Entertainment', 'Films and music'),
  trade('Supplements', 'Health', 'Vitamins and minerals'),
  trade('Toys', 'Shopping', 'Toys and games'),
]

/** The categories of the sample catalogue, in alphabetical order. */
export const sampleCategories = {
  local: categoriesOf(localTrades),
  national: categoriesOf(nationalTrades),
}

function categoriesOf(trades: Trade[]): string[] {
  return [...new Set(trades.map(({ category }) => category))].sort()
}

const words = (text: string) => text.split(' ')
const localNames = words(
  'Quillbrook Tamberly Fennimoor Ostrella Brindlewick Cazzarine Dovenmere Eldermoot Farrowend Glimmerton Hexabury ' +
    'Ivorund Jasperlow Kettlevane Lorrimond Mossivale Nettlequay Orlindale Pennywhist Quorrel Rookadine Saffrenly ' +
    'Thistlemar Umberlyn Velmora Wrenstide Xandreth Yarrowick Zinnabel Applegrint Bramblemoot Cloverdash Driftanel ' +
    'Emberlune Foxenwhit Gablewyn Hollowmarsh Inglefern Juniquist Larkenfell',
)
const nationalNames = words(
  'Aurelvane Boltrique Corvandel Dynaspry Evermoot Fluxandria Gorrillo Hyperplume Indigrain Jetquill',
)
const streets = [
  ...words('Main Oak Maple Cedar Elm Market Church Mill Park River Lake Hill').map((name) => `${name} Street`),
  ...words('First Second Third Washington Lincoln Highland Sunset Prospect').map((name) => `${name} Avenue`),
]

/** One area code for each state. The numbers 555-0100 to 555-0199 are reserved for fiction in all of them. */
const areaCodes = new Map(
  words(
    'AK907 AL205 AR501 AZ602 CA213 CO303 CT203 DC202 DE302 FL305 GA404 GU671 HI808 IA515 ID208 IL312 IN317 KS316 ' +
      'KY502 LA504 MA617 MD410 ME207 MI313 MN612 MO314 MP670 MS601 MT406 NC704 ND701 NE402 NH603 NJ201 NM505 NV702 ' +
      'NY212 OH216 OK405 OR503 PA215 PR787 RI401 SC803 SD605 TN615 TX214 UT801 VA804 VI340 VT802 WA206 WI414 WV304 ' +
      'WY307 AS684',
  ).map((text) => [text.slice(0, 2), text.slice(2)]),
)
