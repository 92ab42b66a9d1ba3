import { describe, expect, it } from 'vitest'
import { hoursText, milesBetween, webAddress, zipOf } from './offers.ts'

describe('the distance', () => {
  it('between New York and Los Angeles is about 2,446 miles', () => {
    const miles = milesBetween({ lat: 40.7128, long: -74.006 }, { lat: 34.0522, long: -118.2437 })
    expect(Math.round(miles)).toBe(2_446)
  })

  it('from a place to itself is zero', () => {
    expect(milesBetween({ lat: 40, long: -74 }, { lat: 40, long: -74 })).toBe(0)
  })
})

describe('a ZIP code', () => {
  it.each([
    ['62701', '62701'],
    [' 62701-1234 ', '62701'],
    ['6270', undefined],
    ['', undefined],
  ])('of "%s" is %s', (text, zip) => expect(zipOf(text)).toBe(zip))
})

describe('the address of a merchant', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', 'example.com', ''])('is no link for "%s"', (text) => {
    expect(webAddress(text)).toBeUndefined()
  })

  it('is a link for https', () => expect(webAddress('https://shop.example.com')).toBe('https://shop.example.com'))
})

describe('opening hours', () => {
  const week = {
    monday: '9-5',
    tuesday: '9-5',
    wednesday: '',
    thursday: '9-5',
    friday: '9-5',
    saturday: '9-1',
    sunday: '',
  }

  it('have days with the same hours together', () => {
    expect(hoursText(week)).toBe('Mon to Tue 9-5, Thu to Fri 9-5, Sat 9-1')
  })

  it('that are not known are empty', () => {
    const unknown = Object.fromEntries(Object.keys(week).map((day) => [day, ''])) as typeof week
    expect(hoursText(unknown)).toBe('')
  })
})
